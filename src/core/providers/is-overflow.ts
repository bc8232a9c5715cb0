/** Texts of many vendors for a prompt that exceeds the model's window; collected from their answers. */
const OVERFLOW = [
  /prompt (?:is )?too long/i,
  /prompt exceeds max length/i,
  /exceed(?:s|ed)? (?:the|this) (?:model(?:['’]?s)? )?(?:maximum )?(?:available )?context/i,
  /context[ _-]?(?:length|window)[ _-]?(?:is )?exceed/i,
  /context window (?:exceeds|limit)/i,
  /maximum (?:context|prompt) length/i,
  /model['’]?s context length/i,
  /input is too long/i,
  /input length .{0,40}exceed/i,
  /input tokens? (?:count )?.{0,40}exceed/i,
  /your prompt contains (?:at least )?\d+ input tokens/i,
  /reduce the length of the messages/i,
  /exceeded model token limit/i,
  /prompt token count of \d+ exceeds/i,
  /range of input length should be/i,
  /tokens to keep from the initial prompt is greater than the context length/i,
  /ContextWindowExceeded/i,
]
const CODES =
  /context_length_exceeded|exceed_context_size_error|model_context_window_exceeded|\b1261\b/
/** llama.cpp of old says it with 500, and nothing else does. */
const OVERFLOW_500 = /too large to process.{0,80}batch size/i
/** Budgets per minute and entitlements speak of tokens and length too, and are no overflow. */
const NOT_OVERFLOW =
  /tokens? per min|\bTPM\b|per[- ]minute|too many tokens(?:$|,| per)|extra usage is required/i

/** Whether an error is about a prompt longer than the model's window. `status` 0: it came inside a 200. */
export function isOverflow(status: number, message: string, code: string): boolean {
  if (OVERFLOW_500.test(message)) return true
  // A 5xx with such words is a router's own failure, a 429 a budget, and who may not ask has no window.
  if (status >= 500 || status === 429 || (status > 400 && status < 404)) return false
  if (NOT_OVERFLOW.test(message)) return false
  return CODES.test(code) || OVERFLOW.some((pattern) => pattern.test(message))
}

/** Whether this one request exceeds a budget per minute: no window's fault, and waiting does not help. */
export function exceedsBudget(status: number, message: string): boolean {
  return (status === 413 || /request too large/i.test(message)) && NOT_OVERFLOW.test(message)
}
