import type { Sealer } from '#platform/crypto'

/** For whom bytes are moved: one attempt of one run. */
export interface TransferSubject {
  readonly attemptId: string
  readonly runId: string
  readonly teamPath: string
  readonly step: string
  readonly task: string
  /** Where its caches lie, and where they are looked for as well. */
  readonly namespace: string
  readonly alsoReads: readonly string[]
}

const CONTEXT = 'transfer'
const KEYS = ['attemptId', 'runId', 'teamPath', 'step', 'task', 'namespace'] as const

/** A bearer token that holds the attempt, sealed; nothing is stored. The token is valid while a runner has the attempt. */
export function sealToken(sealer: Sealer, subject: TransferSubject): string {
  return `sbxt_${sealer.seal(JSON.stringify(subject), CONTEXT).toString('base64url')}`
}

/** Undefined for whatever was not sealed here. */
export function openToken(sealer: Sealer, authorization: string | undefined): TransferSubject | undefined {
  const [, sealed] = /^Bearer sbxt_([A-Za-z0-9_-]{20,4000})$/.exec(authorization ?? '') ?? []
  if (sealed === undefined) return undefined
  try {
    return read(JSON.parse(sealer.open(Buffer.from(sealed, 'base64url'), CONTEXT)))
  } catch {
    return undefined
  }
}

function read(value: unknown): TransferSubject | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  const [attemptId, runId, teamPath, step, task, namespace] = KEYS.map((key) => {
    const text = fields.get(key)
    return typeof text === 'string' ? text : ''
  })
  const also = fields.get('alsoReads')
  if (!attemptId || !runId || !teamPath || !step || !task || !namespace || !Array.isArray(also)) return undefined
  const alsoReads = also.filter((one) => typeof one === 'string')
  return { attemptId, runId, teamPath, step, task, namespace, alsoReads }
}
