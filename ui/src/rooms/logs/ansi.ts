import Anser from 'anser'
import { findLinks, hostOf, readAddress } from './links.ts'

/** How a piece of a line looks: colours are those of the theme, by number. */
export interface Look {
  /** 0 to 15: a colour of the terminal. On a ground the text is drawn in the colour that is readable there. */
  readonly colour?: number | undefined
  readonly ground?: number | undefined
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
  readonly strike?: true
}

export interface Piece {
  readonly text: string
  readonly look: Look
  readonly href: string | undefined
  /** The host of a link whose text does not show it. */
  readonly host: string | undefined
}

// ECMA-48: of the control sequences colours and looks (SGR) and the erasing of a line mean something here.
const OTHER_CSI = /\u001b\[[0-?]*[ -/]*[@-JLn-~]|\u001b\[[0-?]*[ -/]*[L-l]/g
const ERASE = /\u001b\[[0-2]?K/g
/** Hyperlinks (OSC 8) are `ESC ] 8 ; options ; address ST`. */
const HYPERLINK = /\u001b\]8;[^;\u0007\u001b]*;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g
const OTHER_OSC = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)/g
const OTHER_ESCAPE = /\u001b(?:[ -/]+[0-~]|[0-Z\\^-~])/g
/** A look for each of so many changes of it; what comes behind is drawn plain. */
const MOST_PIECES = 2000

/** The pieces of a line as a terminal would show it. No control sequence but colours and links has an effect. */
export function readLine(line: string): readonly Piece[] {
  const pieces = line.includes('\u001b') ? readLinked(line) : textPieces(line.trimEnd(), {})
  return line.trimEnd().includes('\r') ? overwrite(line) : pieces
}

/** The line as plain text. */
export function plainText(line: string): string {
  return readLine(line)
    .map(({ text }) => text)
    .join('')
}

function readLinked(line: string): Piece[] {
  const pieces: Piece[] = []
  let href: string | undefined
  let end = 0
  for (const { 0: mark, 1: address = '', index } of line.matchAll(HYPERLINK)) {
    pieces.push(...linkedPieces(line.slice(end, index), href))
    href = address === '' ? undefined : readAddress(address)
    end = index + mark.length
  }
  pieces.push(...linkedPieces(line.slice(end), href))
  return pieces.slice(0, MOST_PIECES)
}

function linkedPieces(text: string, href: string | undefined): Piece[] {
  if (text === '') return []
  const host = href === undefined ? undefined : hostOf(href)
  const looks = text.replace(OTHER_OSC, '').replace(ERASE, '').replace(OTHER_CSI, '').replace(OTHER_ESCAPE, '')
  return Anser.ansiToJson(looks, { json: true, use_classes: true, remove_empty: true }).flatMap((entry) => {
    const look = lookOf(entry)
    const content = entry.content.replaceAll('\u001b', '')
    return href === undefined ? textPieces(content, look) : [{ text: content, look, href, host }]
  })
}

function textPieces(text: string, look: Look): Piece[] {
  return findLinks(text).map((piece) => ({ ...piece, look, host: undefined }))
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

function lookOf(entry: Anser.AnserJsonEntry): Look {
  // anser has exchanged the two already where the video is reversed.
  const { decorations } = entry
  return {
    colour: colourOf(entry.fg, entry.fg_truecolor),
    ground: colourOf(entry.bg, entry.bg_truecolor),
    ...(decorations.includes('bold') ? { bold: true } : {}),
    ...(decorations.includes('dim') ? { dim: true } : {}),
    ...(decorations.includes('italic') ? { italic: true } : {}),
    ...(decorations.includes('underline') ? { underline: true } : {}),
    ...(decorations.includes('strikethrough') ? { strike: true } : {}),
  }
}

/** The colour of the theme for what anser names; other colours become the nearest of the sixteen. */
function colourOf(name: string | null, rgb: string | null): number | undefined {
  if (!name) return undefined
  if (name === 'ansi-truecolor') return nearest((rgb ?? '').split(',').map(Number))
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  if (palette !== undefined) return ofPalette(Number(palette))
  const isBright = name.startsWith('ansi-bright-')
  const found = NAMES.indexOf(name.replace(/^ansi-(bright-)?/, ''))
  return found < 0 ? undefined : found + (isBright ? 8 : 0)
}

/** Of the 256 colours of xterm: sixteen, a cube of 6 by 6 by 6, and greys. */
function ofPalette(index: number): number {
  if (index < 16) return index
  if (index >= 232) return nearest(Array.from({ length: 3 }, () => 8 + (index - 232) * 10))
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40)
  const at = index - 16
  return nearest([level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)])
}

const XTERM = [0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5].concat([
  0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
])

function nearest(rgb: readonly number[]): number {
  const distances = XTERM.map((colour) =>
    [16, 8, 0].reduce((sum, shift, part) => sum + (((colour >> shift) & 255) - (rgb[part] ?? 0)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

interface Cell {
  readonly char: string
  readonly piece: Piece
}

/** A carriage return goes back to the first column: what follows is written over what stood there. */
function overwrite(line: string): Piece[] {
  let cells: Cell[] = []
  for (const part of line.trimEnd().split('\r')) {
    let column = 0
    for (const [at, text] of part.split(ERASE).entries()) {
      if (at > 0) cells = cells.slice(0, column)
      for (const piece of readLinked(text)) {
        for (const char of piece.text) {
          cells[column] = { char, piece }
          column += 1
        }
      }
    }
  }
  const pieces: Piece[] = []
  for (const { char, piece } of cells) {
    const last = pieces.at(-1)
    if (last && last.look === piece.look && last.href === piece.href) {
      pieces[pieces.length - 1] = { ...last, text: last.text + char }
    } else pieces.push({ ...piece, text: char })
  }
  return pieces
}
