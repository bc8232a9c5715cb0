/** Names the object of a session; neither part can contain the colon. */
export function objectName(tenant: string, id: string): string {
  return `${tenant}:${id}`
}
