import { runRoutes } from '@signalbox/contracts/runs/routes'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { invalidate, read, readAhead } from './queries.ts'

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

test('a loader begins the first reading of a page, and no second one', () => {
  const client = new QueryClient()
  const begun = vi.spyOn(client, 'prefetchQuery').mockResolvedValue()
  const request = { params: { id: 'a' } }
  const options = readAhead(client, operation, request)
  expect(begun).toHaveBeenCalledWith(options)
  expect(options.queryKey).toEqual(read(operation, request).queryKey)
  client.setQueryData<unknown>(options.queryKey, { id: 'a' })
  readAhead(client, operation, request)
  expect(begun).toHaveBeenCalledOnce()
})
