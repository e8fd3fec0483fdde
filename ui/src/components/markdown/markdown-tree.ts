import MarkdownIt from 'markdown-it'
import { showInvisible } from '../show-invisible.ts'

/** The elements that markdown may become; nothing else is ever made. */
export const ELEMENTS = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'hr',
  'br',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'strong',
  'em',
  's',
  'a',
] as const
export type ElementName = (typeof ELEMENTS)[number]

export interface MarkdownElement {
  readonly name: ElementName
  /** Of a link: http or https. */
  readonly href?: string
  /** Of a numbered list. */
  readonly start?: number
  readonly children: MarkdownNode[]
}

export type MarkdownNode = string | MarkdownElement

/** Text from outside: no HTML, no images, and links only to http and https. */
const parser = new MarkdownIt({ html: false, linkify: true }).disable('image')
parser.validateLink = (url) => /^https?:\/\/[^\s]/i.test(url)
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

type Token = ReturnType<typeof parser.parse>[number]

/** Reads markdown into elements that can do nothing but be shown. */
export function readMarkdown(text: string): readonly MarkdownNode[] {
  return treeOf(parser.parse(text, {}))
}

function treeOf(tokens: readonly Token[]): readonly MarkdownNode[] {
  const root: MarkdownNode[] = []
  const open: MarkdownNode[][] = [root]
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root
    if (token.nesting === -1) {
      if (!token.hidden) open.pop()
      continue
    }
    if (token.nesting === 1) {
      // The paragraphs of a dense list are hidden: their text stands in the item itself.
      if (token.hidden) continue
      const element = elementOf(token)
      siblings.push(element)
      open.push(element.children)
      continue
    }
    siblings.push(...leavesOf(token))
  }
  return root
}

function leavesOf(token: Token): readonly MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return treeOf(token.children ?? [])
    case 'softbreak':
      return [' ']
    case 'hardbreak':
      return [{ name: 'br', children: [] }]
    case 'hr':
      return [{ name: 'hr', children: [] }]
    case 'code_inline':
      return [{ name: 'code', children: [showInvisible(token.content)] }]
    case 'fence':
    case 'code_block':
      return [{ name: 'pre', children: [{ name: 'code', children: [showInvisible(token.content)] }] }]
    default:
      return token.content === '' ? [] : [showInvisible(token.content)]
  }
}

function elementOf(token: Token): MarkdownElement {
  const name = ELEMENTS.find((each) => each === token.tag) ?? 'p'
  const href = String(token.attrGet('href') ?? '')
  const start = Number(token.attrGet('start') ?? Number.NaN)
  return {
    name,
    ...(name === 'a' && parser.validateLink(href) ? { href } : {}),
    ...(Number.isInteger(start) ? { start } : {}),
    children: [],
  }
}
