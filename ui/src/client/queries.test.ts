import { runRoutes } from '@signalbox/contracts/runs/routes'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { invalidate } from './queries.ts'

const operation = runRoutes.getRun

test('a change that comes while a page reads for the first time is read', async () => {
  const client = new QueryClient()
  const answers: PromiseWithResolvers<string>[] = []
  const reading = new QueryObserver(client, {
    queryKey: ['body', operation.path],
    queryFn: () => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    },
  })
  const leave = reading.subscribe(() => undefined)
  const renewed = invalidate(client, [operation])
  answers[0]?.resolve('before the change')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.resolve('behind it')
  await renewed
  expect(reading.getCurrentResult().data).toBe('behind it')
  leave()
})
