import { callForge, type ForgeCall, type ForgeReply } from '../../api-client.ts'
import { failed, readAnswerTime } from '../../api-failures.ts'
import type { AppConnection } from '../../app-port.ts'
import type { ForgeAnswer, ForgeFailure } from '../../port.ts'
import { callOf } from '../api.ts'
import { signJwt } from './jwt.ts'
import { readPrivateKey } from './private-key.ts'

/** A JWT bears a clock that is a minute behind and nine ahead; less than this is never why it was refused. */
const NOTICED_SKEW_MS = 30_000

/** A call of GitHub: the path, and what else differs between calls. */
type AppCall = Omit<ForgeCall, 'apiUrl' | 'headers' | 'expect'>

/**
 * Calls GitHub as the app itself, with a JWT. Where GitHub refuses it and has another time than `connection.now`, it is
 * signed once more with GitHub's. A key that GitHub refuses gives way to the next, older one: that is how a key is
 * rotated. So it takes at most three calls.
 */
export async function callAsApp(connection: AppConnection, call: AppCall): Promise<ForgeAnswer<ForgeReply>> {
  const keys = connection.app.privateKeys.map(readPrivateKey).flatMap((read) => (read.ok ? [read.key] : []))
  if (keys.length === 0) return failed('No private key of the app can be used; store a new one.', false)
  let skewMs = 0
  for (const key of keys) {
    const ask = () => {
      const token = signJwt(connection.app.appId, key, connection.now + skewMs)
      const { baseUrl, signal } = connection
      return callForge({ baseUrl, token, signal }, { ...callOf({ baseUrl, token, signal }), ...call, expect: [401] })
    }
    const first = await ask()
    if (first.outcome !== 'found' || first.value.status !== 401) return first
    const measured = skewOf(first.value, connection)
    if (skewMs !== 0 || measured === null || Math.abs(measured) < NOTICED_SKEW_MS) continue
    skewMs = measured
    const second = await ask()
    if (second.outcome !== 'found' || second.value.status !== 401) return second
  }
  return appRefused(keys.length)
}

/** GitHub's clock less ours; null where the answer names no time. */
export function skewOf({ headers }: ForgeReply, { now }: Pick<AppConnection, 'now'>): number | null {
  const answered = readAnswerTime(headers)
  return answered === undefined ? null : answered - now
}

function appRefused(keys: number): ForgeFailure {
  const tried = keys === 1 ? 'the private key' : 'each private key'
  return failed(`GitHub refused ${tried} of the app (401).`, false, { cause: 'refused', status: 401 })
}
