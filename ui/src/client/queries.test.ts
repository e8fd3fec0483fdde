import { runRoutes } from '@signalbox/contracts/runs/routes'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { invalidate, itemsOf, read, readAhead, readAll } from './queries.ts'

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

test('what a field offers to choose from is read to its end', async () => {
  const pages = [
    { items: ['a', 'b'], next: '/v1/teams?limit=500&cursor=2' },
    { items: ['c'], next: '/v1/teams?limit=500&cursor=3' },
    { items: ['d'], next: undefined },
  ]
  const asked: string[] = []
  vi.stubGlobal('location', new URL('http://signalbox.example.com/'))
  vi.stubGlobal('document', { baseURI: location.href })
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address)
    const { items, next } = pages[asked.length - 1] ?? { items: [], next: undefined }
    const headers = { 'content-type': 'application/json', ...(next ? { link: `<${next}>; rel="next"` } : {}) }
    return Promise.resolve(new Response(JSON.stringify(items), { headers }))
  })
  const data = await new QueryClient().fetchQuery(readAll(teamRoutes.listTeams, { query: { limit: 500 } }))
  expect(itemsOf(data)).toEqual(['a', 'b', 'c', 'd'])
  expect(asked.map((address) => new URL(address, 'http://x').searchParams.get('cursor'))).toEqual([null, '2', '3'])
  vi.unstubAllGlobals()
})
