import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** One Markdown page of the repository; `path` is relative to the root, with forward slashes. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Every page that people read: all Markdown but installed or generated files. */
export function readPages(): readonly Page[] {
  const skipped = new Set(['node_modules', '.signalbox', '.signalbox-forge', '.git'])
  const paths = globSync('**/*.md', { cwd: root, exclude: (name) => skipped.has(name.split('/').at(-1) ?? '') })
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The text without fenced blocks and code spans, where brackets mean nothing. */
function prose(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, '')
}

export interface Link {
  /** Relative to the root of the repository. */
  readonly target: string
  readonly anchor: string | undefined
}

/** Links to files of the repository; other addresses are not checked. */
export function linksOf(page: Page): readonly Link[] {
  return [...prose(page.text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((address) => !/^[a-z]+:/i.test(address))
    .map((address) => {
      const [file = '', anchor] = address.split('#')
      const target = file === '' ? page.path : relative(root, resolve(root, dirname(page.path), decodeURI(file)))
      return { target: target.replaceAll('\\', '/'), anchor }
    })
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map((match) => match[1] ?? '')
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

export interface Fence {
  readonly language: string
  readonly text: string
}

export function fencesOf(text: string): readonly Fence[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map((match) => ({
    language: match[2] ?? '',
    text: match[3] ?? '',
  }))
}

/** Fences and code spans: text to be typed or sent. */
export function codeOf(text: string): readonly string[] {
  const outside = text.replace(/^( *)```[\s\S]*?^\1```$/gm, '')
  const spans = [...outside.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
  return [...fencesOf(text).map((fence) => fence.text), ...spans]
}

/** The scripts of package.json that a page names: `npm run check`, `npm start`, `npm test`. */
export function scriptsNamed(text: string): readonly string[] {
  // A pipeline of somebody's calls belongs to them.
  const ours = text.replace(/^( *)```yaml\n[\s\S]*?^\1```$/gm, '')
  return codeOf(ours).flatMap((words) => [
    ...[...words.matchAll(/\bnpm run (?:--?\w+ )*([\w:-]+)/g)].map((match) => match[1] ?? ''),
    ...[...words.matchAll(/\bnpm (start|test)\b/g)].map((match) => match[1] ?? ''),
  ])
}
