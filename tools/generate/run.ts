import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { databaseUrl, startTestServer, TEMPLATE } from '../../server/src/platform/testing/test-server.ts'
import { findStale } from './compare.ts'
import type { Generator, Means } from './generator.ts'
import { GENERATORS } from './registry.ts'

// npm run generate [-- --check] [name ...]: makes the generated files anew, or says which of them are stale.

const root = resolve(import.meta.dirname, '../..')

async function main(words: readonly string[]): Promise<number> {
  const check = words.includes('--check')
  const names = words.filter((word) => !word.startsWith('-'))
  const chosen = GENERATORS.filter(({ name }) => names.length === 0 || names.includes(name))
  if (chosen.length === 0) {
    console.error(`No such generator; there are: ${GENERATORS.map(({ name }) => name).join(', ')}`)
    return 1
  }
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-generate-'))
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  const means = createMeans(scratch)
  try {
    let stale = 0
    for (const [index, generator] of chosen.entries()) {
      const into = join(folder, String(index))
      await mkdir(into)
      await generator.run(into, means)
      if (check) stale += await reportStale(generator, into)
      else await install(generator, into)
    }
    if (stale > 0) console.error('Run "npm run generate" and commit what it changes.')
    return stale > 0 ? 1 : 0
  } finally {
    await means.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function reportStale(generator: Generator, into: string): Promise<number> {
  const stale = await findStale(generator, into, root)
  for (const { path, reason } of stale) console.error(`${generator.name}: ${path} ${reason}`)
  return stale.length
}

async function install(generator: Generator, into: string): Promise<void> {
  for (const path of generator.outputs) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await cp(join(into, path), join(root, path))
    console.info(`${generator.name}: ${path}`)
  }
}

/** The database starts when the first generator asks for it, and once. */
function createMeans(scratch: string): Means & { close(): Promise<void> } {
  let server: ReturnType<typeof startTestServer> | undefined
  return {
    root,
    scratch,
    async migratedDatabase() {
      server ??= startTestServer()
      return databaseUrl((await server).url, TEMPLATE)
    },
    async close() {
      await (await server)?.stop()
    },
  }
}

process.exitCode = await main(process.argv.slice(2))
