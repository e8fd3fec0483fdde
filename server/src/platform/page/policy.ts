const OWN_FILES_ALONE = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Of the page: its own files, and the style elements that carry the nonce of this answer. */
export function pagePolicy(nonce: string): string {
  return `${OWN_FILES_ALONE}; style-src 'self' 'nonce-${nonce}'`
}

/** Of a file of the page: a worker obeys the policy of its own file. */
export const filePolicy = `${OWN_FILES_ALONE}; style-src 'self'`
