/** How a file may be shown in a browser. Its bytes decide, never its name: a stranger may have chosen that. */
export function contentTypeOf(beginning: Buffer): string | undefined {
  const image = IMAGES.find(([, matches]) => matches(beginning))
  if (image) return image[0]
  // Markup, too, is shown as the text that it is.
  return beginning.includes(0) ? undefined : 'text/plain; charset=utf-8'
}

/** Only forms that cannot hold a program: no SVG. */
const IMAGES: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => starts(bytes, 0, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => starts(bytes, 0, '\xff\xd8\xff')],
  ['image/gif', (bytes) => starts(bytes, 0, 'GIF87a') || starts(bytes, 0, 'GIF89a')],
  ['image/webp', (bytes) => starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP')],
]

function starts(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}
