import type { OutputValue } from '@signalbox/pipeline/status'
import type { Sealer } from '#platform/crypto'
import type { StoredOutputs } from './stored-rows.ts'

type Outputs = Readonly<Record<string, OutputValue>>

/** Outputs as they are stored: a sensitive one is sealed and bound to its run and task, so that it opens nowhere else. */
export function sealOutputs(sealer: Sealer, runId: string, taskPath: string, outputs: Outputs): StoredOutputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { value, sensitive }]) => [
      name,
      sensitive ? { sealed: sealer.seal(value, contextOf(runId, taskPath, name)).toString('base64') } : { value },
    ]),
  )
}

export function openOutputs(sealer: Sealer, runId: string, taskPath: string, stored: StoredOutputs): Outputs {
  return Object.fromEntries(
    Object.entries(stored).map(([name, entry]) => {
      if ('value' in entry) return [name, { value: entry.value, sensitive: false }]
      const value = sealer.open(Buffer.from(entry.sealed, 'base64'), contextOf(runId, taskPath, name))
      return [name, { value, sensitive: true }]
    }),
  )
}

/** Values of variables that must not be seen, as they are stored: bound to their run, so that they open nowhere else. */
export function sealVariables(
  sealer: Sealer,
  runId: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      sealer.seal(value, `variable:${runId}:${name}`).toString('base64'),
    ]),
  )
}

export function openVariables(
  sealer: Sealer,
  runId: string,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, sealed]) => [
      name,
      sealer.open(Buffer.from(sealed, 'base64'), `variable:${runId}:${name}`),
    ]),
  )
}

function contextOf(runId: string, taskPath: string, name: string): string {
  return `output:${runId}:${taskPath}:${name}`
}
