import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ProblemEntry, platformProblem } from '../../server/src/platform/problems/index.ts'
import { ROOMS } from '../lint/rooms.ts'
import type { Generator } from './generator.ts'
import { writeOutput } from './write.ts'

const OUTPUT = 'docs/api/errors.md'

/** The codes of one owner, the platform or a room: code to status and title. */
export interface ErrorCodes {
  readonly owner: string
  readonly table: Readonly<Record<string, ProblemEntry>>
}

/** The page of all error codes: those of every route, then each room's errors.ts in the order of the rooms. */
export const errorCodes: Generator = {
  name: 'error codes',
  outputs: [OUTPUT],
  async run(into, { root }) {
    const rooms = await Promise.all(ROOMS.map((room) => readRoom(root, room)))
    const platform: ErrorCodes = { owner: 'Every route', table: platformProblem.table }
    await writeOutput(into, OUTPUT, renderErrorCodes([platform, ...rooms.flat()]))
  },
}

async function readRoom(root: string, room: string): Promise<readonly ErrorCodes[]> {
  const folder = join(root, 'server/src/rooms', room)
  const files = globSync(['errors.ts', 'errors/!(*.test).ts'], { cwd: folder }).sort()
  const modules: unknown[] = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)))
  return modules.flatMap((module) =>
    Object.values(Object(module))
      .filter(hasTable)
      .map(({ table }) => ({ owner: room, table })),
  )
}

function hasTable(value: unknown): value is { readonly table: ErrorCodes['table'] } {
  return typeof value === 'function' && 'table' in value && typeof value.table === 'object' && value.table !== null
}

const INTRODUCTION = `# Error codes

Every answer of 400 and above is \`application/problem+json\` (RFC 9457) with a \`code\` from this page. A code never changes
its meaning; \`detail\` is for people and may change. This page is generated; \`npm run generate\` renews it.
`

/** The whole page, as Markdown; codes keep the order of their table. */
export function renderErrorCodes(owners: readonly ErrorCodes[]): string {
  const sections = owners.map(({ owner, table }) => {
    const rows = Object.entries(table).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`)
    return `## ${owner}\n\n| Code | Status | Title |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}
