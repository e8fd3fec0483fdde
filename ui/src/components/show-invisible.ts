// Control characters but tab and line end, zero-width, bidirectional and tag characters (Unicode 17, Trojan Source).
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu
/** So many marks on one letter are no writing of any language. */
const STACKED = /(\p{M}{8})\p{M}+/gu

/** The text with each invisible character as `[U+202E]`, and towers of combining marks cut. */
export function showInvisible(text: string): string {
  return cutTowers(
    text.replace(INVISIBLE, (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`),
  )
}

/** The text with towers of combining marks cut: to lay out one of thousands holds the page for half a minute. */
export function cutTowers(text: string): string {
  return text.replace(STACKED, '$1…')
}
