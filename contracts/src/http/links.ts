/** The target of `rel="next"` in a Link header (RFC 8288), or undefined on the last page. */
export function nextLink(header: string | null): string | undefined {
  for (const match of (header ?? '').matchAll(/<([^>]*)>\s*((?:;\s*[^;,<]+)*)/g)) {
    if (/;\s*rel="?next"?\s*(;|$)/i.test(match[2] ?? '')) return match[1]
  }
  return undefined
}
