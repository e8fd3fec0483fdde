import { execFile } from 'node:child_process'
import { list, object, orNull, text } from '../client/shape.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Surroundings } from '../surroundings.ts'
import { SERVER } from './programs.ts'

const finding = object({ level: text, name: text, message: text, remedy: orNull(text) })

/** Checks database, key and disk of a server that would be started here. Starts and changes nothing. */
export async function readServerFindings({ env, cwd }: Surroundings): Promise<Finding[]> {
  const output = await new Promise<string | undefined>((settle) => {
    execFile(process.execPath, [SERVER, '--inspect-ground'], { cwd, env: { ...env } }, (error, stdout) =>
      settle(error ? undefined : stdout),
    )
  })
  if (output === undefined)
    return [{ level: 'warn', name: 'database', message: 'The database could not be looked at.' }]
  return list(finding)(JSON.parse(output), 'findings').map(({ level, remedy, ...rest }) => ({
    ...rest,
    level: level === 'ok' || level === 'warn' ? level : 'fail',
    ...(remedy === null ? {} : { remedy }),
  }))
}
