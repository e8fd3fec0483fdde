import { SealBroken } from '#platform/crypto'
import type { Means } from '../means.ts'
import { exchangeContext } from '../rules/exchange.ts'
import { claimAnswersSealedBefore, keepAnswer } from '../store/flows.ts'

/**
 * Seals anew the answers of registrations that still wait, as `resealKeys` does with keys: the provider gives the app
 * once, and the old key may be taken away before the registration is finished.
 */
export async function resealAnswers(means: Pick<Means, 'sealer' | 'database' | 'log'>): Promise<void> {
  const { sealer } = means
  let count = 0
  await means.database.transaction(async (tx) => {
    for (const { stateSha256, exchanged } of await claimAnswersSealedBefore(tx, sealer.keyVersion)) {
      const context = exchangeContext(stateSha256)
      try {
        const anew = sealer.seal(sealer.open(exchanged, context), context)
        await keepAnswer(tx, { stateSha256, exchanged: anew, keyVersion: sealer.keyVersion })
        count += 1
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        means.log.error({ err: error, state: stateSha256.toString('hex') }, 'an answer to a registration does not open')
      }
    }
  })
  if (count > 0) means.log.info({ count, keyVersion: sealer.keyVersion }, 'waiting registrations were sealed anew')
}
