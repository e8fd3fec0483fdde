import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TEXT = `(?:"[^"\\n]*"|'[^'\\n]*')`
const TEXTS = `(?:summary|tag|class|permission|limitedTokens|params|query|body):\\s*${TEXT}`
/** What a page has no use for. */
const DESCRIBED = new RegExp(`\\b(?:${TEXTS}|(?:waits|whileLocked|undocumented): true|answers: \\{[^{}]*\\}),?`, 'g')
/** A route among the others of its room, as the formatter writes it. */
const STATED = /^ {2}(\w+): \{\n(?: {4}.*\n)* {2}\},\n/gm

/**
 * Statements of routes as the page needs them. It calls a route by its method and path: all else of a statement is for the
 * control plane, the document of the API and the compiler. A route that no part of the page names is left out.
 */
export function trimStatements(code: string, named: ReadonlySet<string>): string {
  return code.replace(STATED, (statement, name: string) => (named.has(name) ? statement : '')).replace(DESCRIBED, '')
}

/** Every word of the sources of the page. */
export function findNames(source: string): ReadonlySet<string> {
  const files = globSync('**/*.{ts,tsx}', { cwd: source, exclude: (file) => file.endsWith('.test.ts') })
  return new Set(files.flatMap((file) => readFileSync(join(source, file), 'utf8').match(/\w+/g) ?? []))
}
