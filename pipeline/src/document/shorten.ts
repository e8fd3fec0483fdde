/** At most `length` UTF-16 units of a text, never half a surrogate pair, with dots where something was cut off. */
export function shorten(text: string, length = 60): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  const end = last >= 0xd800 && last < 0xdc00 ? length - 1 : length
  return `${text.slice(0, end)}...`
}
