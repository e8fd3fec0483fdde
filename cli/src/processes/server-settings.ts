import { execFile } from 'node:child_process'
import { anything, flag, list, object, text } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'
import { SERVER } from './programs.ts'

const setting = object({ name: text, value: anything, origin: text, default: anything, secret: flag, text })
export type Setting = ReturnType<typeof setting>

/** Every option of the control plane as a server started here would read it. Throws CommandFailed on a wrong one. */
export async function readServerSettings({ env, cwd }: Surroundings): Promise<readonly Setting[]> {
  const output = await new Promise<string>((settle, fail) => {
    execFile(process.execPath, [SERVER, '--print-config'], { cwd, env: { ...env } }, (error, stdout, stderr) => {
      if (!error) return settle(stdout)
      const said = stderr.replace(/^signalbox: /, '').trim()
      const page = 'docs/operations/configuration.md'
      const remedy = said.includes(page) ? undefined : `${page} lists every key.`
      fail(new CommandFailed('usage', said || error.message, remedy))
    })
  })
  return list(setting)(JSON.parse(output), 'configuration')
}

export function textSetting(settings: readonly Setting[], name: string): string | undefined {
  const value = settings.find((candidate) => candidate.name === name)?.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listSetting(settings: readonly Setting[], name: string): readonly string[] {
  const value = settings.find((candidate) => candidate.name === name)?.value
  return Array.isArray(value) ? value.map(String) : []
}

export function numberSetting(settings: readonly Setting[], name: string): number | undefined {
  const value = settings.find((candidate) => candidate.name === name)?.value
  return typeof value === 'number' ? value : undefined
}

/** Whether the option was given at all: secrets show no value. */
export function isSet(settings: readonly Setting[], name: string): boolean {
  const origin = settings.find((candidate) => candidate.name === name)?.origin
  return origin === 'file' || origin === 'environment'
}
