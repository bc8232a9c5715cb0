/** What an id of the HTTP contract looks like; clients may choose a session's within it. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{8,64}$/
