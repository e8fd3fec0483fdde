import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { apps } from './index.ts'
import { anApp } from './testing.ts'

/** `GET /installation/repositories` at a server that has pages and ETags as GitHub has. */

interface Github {
  readonly url: string
  /** The ids of the repositories that the installation has. */
  repositories: number[]
  /** Calls that cost of the rate, and calls that found nothing new. */
  readonly calls: { paid: number; free: number }
  /** Whether a 304 has its Link header. */
  links: boolean
}

async function openGithub(t: TestContext, count: number): Promise<Github> {
  const calls = { paid: 0, free: 0 }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', github.url)
    const page = Number(url.searchParams.get('page'))
    assert.equal(url.pathname, '/api/v3/installation/repositories')
    assert.equal(request.headers.authorization, 'Bearer ghs_secret')
    const ids = github.repositories.slice((page - 1) * 100, page * 100)
    const body = JSON.stringify({
      total_count: github.repositories.length,
      repositories: ids.map((id) => ({
        id,
        full_name: `acme/r${id}`,
        private: id % 2 === 0,
        default_branch: 'main',
        owner: {},
      })),
    })
    const etag = `W/"${github.repositories.length}-${ids.join('.').length}-${ids[0]}"`
    const further = github.repositories.length > page * 100
    const pageUrl = `${github.url}/api/v3/installation/repositories?per_page=100&page=`
    const ends = [...(further ? [`<${pageUrl}${page + 1}>; rel="next"`] : []), `<${pageUrl}1>; rel="first"`]
    const unchanged = request.headers['if-none-match'] === etag
    calls[unchanged ? 'free' : 'paid'] += 1
    const single = page === 1 && !further
    const linked = single || (unchanged && !github.links) ? {} : { link: ends.join(', ') }
    response.writeHead(unchanged ? 304 : 200, { 'content-type': 'application/json', etag, ...linked })
    response.end(unchanged ? undefined : body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const github: Github = {
    url: `http://127.0.0.1:${address.port}`,
    repositories: Array.from({ length: count }, (_, at) => at + 1),
    calls,
    links: true,
  }
  return github
}

async function list({ url }: Github, known: Parameters<typeof apps.listRepositories>[1]['known'] = []) {
  const answer = await apps.listRepositories(anApp(url, 0, []), { installationId: '42', token: 'ghs_secret', known })
  assert.ok(answer.outcome === 'found', JSON.stringify(answer))
  return answer.value
}

describe('the repositories of an installation', () => {
  test('are listed from every page', async (t) => {
    const github = await openGithub(t, 2_345)
    const listed = await list(github)
    assert.equal(listed.repositories.length, 2_345)
    assert.equal(listed.calls, 24)
    assert.equal(listed.pages.length, 24)
    assert.deepEqual(listed.repositories[1], { id: '2', fullName: 'acme/r2', private: true, defaultBranch: 'main' })
  })

  for (const links of [true, false]) {
    test(`cost nothing where nothing changed, the pages having ${links ? '' : 'no '}links then`, async (t) => {
      const github = await openGithub(t, 500)
      github.links = links
      const first = await list(github)
      const second = await list(github, first.pages)
      assert.deepEqual(second.repositories, first.repositories)
      assert.deepEqual(second.pages.slice(0, 5), first.pages)
      // Without links a full last page may have one behind it.
      assert.deepEqual(github.calls, { paid: 5 + (links ? 0 : 1), free: 5 })
    })

    test(`that are new are found, whatever the ETags say, the pages having ${links ? '' : 'no '}links then`, async (t) => {
      const github = await openGithub(t, 100)
      github.links = links
      const first = await list(github)
      github.repositories.push(101)
      const second = await list(github, first.pages)
      assert.equal(second.repositories.length, 101)
      github.repositories = [1, 2, 3]
      const third = await list(github, second.pages)
      assert.deepEqual(
        third.repositories.map(({ id }) => id),
        ['1', '2', '3'],
      )
    })
  }

  test('of an empty installation are none', async (t) => {
    assert.deepEqual((await list(await openGithub(t, 0))).repositories, [])
  })

  test('count once, where one moved to the next page meanwhile, and hold no broken name', async (t) => {
    const repository = { id: 1, full_name: 'acme/a', private: false, default_branch: null }
    const odd = [
      { ...repository, id: 2, full_name: '../evil' },
      { ...repository, id: 3, full_name: 'no-owner' },
      { id: 4 },
      null,
    ]
    let page = 0
    const server = createServer((_, response) => {
      page += 1
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(page === 1 ? { link: '<x>; rel="next"' } : {}),
      })
      response.end(JSON.stringify({ total_count: 1, repositories: [repository, ...odd] }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.after(() => new Promise((resolve) => server.close(resolve)))
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const answer = await apps.listRepositories(anApp(`http://127.0.0.1:${address.port}`, 0, []), {
      installationId: '42',
      token: 'ghs_secret',
      known: [],
    })
    assert.deepEqual(answer, {
      outcome: 'found',
      value: {
        repositories: [{ id: '1', fullName: 'acme/a', private: false, defaultBranch: null }],
        pages: [],
        calls: 2,
      },
    })
  })

  test('that never end are left after the bounded number of pages', async (t) => {
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      response.writeHead(200, { 'content-type': 'application/json', link: '<https://evil.example/next>; rel="next"' })
      response.end('{"repositories": []}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.after(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const answer = await apps.listRepositories(anApp(`http://127.0.0.1:${address.port}`, 0, []), {
      installationId: '42',
      token: 'ghs_secret',
      known: [],
    })
    assert.ok(answer.outcome === 'failed' && answer.cause === 'invalid')
    assert.match(answer.reason, /more than 1000 pages/)
    assert.equal(calls, 1_000)
  })
})
