import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  readonly file: string
  readonly imports: readonly string[]
  readonly css: readonly string[]
}

/** The scripts and styles that a browser loads for the entry and these modules, by Vite's manifest. */
export function findFirstLoad(dist: string, modules: readonly string[]): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
  const found = new Set<string>()
  const visited = new Set<string>()
  const visit = (name: string): void => {
    if (visited.has(name)) return
    visited.add(name)
    const { file, imports, css } = chunkOf(manifest, name)
    for (const each of [file, ...css]) found.add(each)
    for (const each of imports) visit(each)
  }
  for (const name of ['index.html', ...modules]) visit(name)
  return [...found]
}

function chunkOf(manifest: unknown, name: string): Chunk {
  const chunk = propertyOf(manifest, name)
  const file = propertyOf(chunk, 'file')
  if (typeof file !== 'string') throw new Error(`The build has no chunk ${name}.`)
  return { file, imports: textsOf(propertyOf(chunk, 'imports')), css: textsOf(propertyOf(chunk, 'css')) }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
