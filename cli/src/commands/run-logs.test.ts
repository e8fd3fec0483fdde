import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const line = (number: number, text: string, more: object = {}) => ({
  step: 'build',
  task: 'unit',
  attempt: 1,
  number,
  line: text,
  stream: 'stdout',
  at: '2026-11-21T03:00:00.000Z',
  ...more,
})

/** Lines `from` to `to` as the API sends them, in blocks of `size` lines. */
const block = (texts: readonly string[], from: number, to: number, size: number): string => {
  let sent = ''
  for (let number = from; number < to; number += size) {
    const text = `${texts.slice(number, Math.min(number + size, to)).join('\n')}\n`
    const lines = Math.min(size, to - number)
    const head = { step: 'build', task: 'unit', attempt: 1, number, lines, bytes: Buffer.byteLength(text) }
    sent += `${JSON.stringify(head)}\n${text}`
  }
  return sent
}

const FAILED = {
  run_id: ID,
  pipeline: 'acme/build',
  cause: 'request',
  initiator: { name: 'ada' },
  scope: 'acme/test',
  queued_at: '2026-11-21T03:00:00.000Z',
  status: 'failure',
  steps: [{ name: 'build', status: 'failure', tasks: [{ name: 'unit', status: 'failure', attempt: 1 }] }],
}

describe('run logs', () => {
  test('are not put in the place of a device or a link', async () => {
    await using here = await stage((_request, response) => response.end('a line\n'))
    const link = join(here.folder.path, 'link')
    symlinkSync(join(here.folder.path, 'away'), link)
    const { code, err } = await here.run(['run', 'logs', ID, '--download', link])
    assert.equal(code, 2)
    assert.match(err, /link is there and is no file/)
    assert.deepEqual(readdirSync(here.folder.path), ['link'])
    assert.deepEqual(here.api.seen, [])
  })

  test('shows what stands around a line, and beside hits, and says where there are more hits', async () => {
    const lines = Array.from({ length: 101 }, (_, n) => line(n, `hit ${n}`, n === 0 ? { context: true } : {}))
    await using here = await stage((_request, response) => answer(response, 200, lines))
    const around = ['run', 'logs', ID, '--step', 'build', '--task', 'unit', '--around', '7', '--context', '2']
    assert.match((await here.run(around)).out, /hit 100/)
    const { err } = await here.run(['run', 'logs', ID, '--search', 'hit', '--context', '1'])
    assert.match(err, /Only 100 hits are shown/)
    assert.deepEqual(
      here.api.seen.map(({ path }) => path),
      [`/v1/runs/${ID}/logs?step=build&task=unit&around=7&context=2`, `/v1/runs/${ID}/logs?search=hit&context=1`],
    )
  })

  test('shows lines, the titles of folds, and what is missing', async () => {
    await using here = await stage((_request, response) =>
      response.end(
        [
          line(0, '::group::Install', { fold: { kind: 'start', title: 'Install' } }),
          line(1, 'added 3 packages'),
          line(2, '::endgroup::', { fold: { kind: 'end', title: '' } }),
          line(3, '4 lines are missing here.', { stream: 'gap', gap: { lines: 4, why: 'lost' } }),
        ]
          .map((entry) => `${JSON.stringify(entry)}\n`)
          .join(''),
      ),
    )
    const { out } = await here.run(['run', 'logs', ID])
    assert.deepEqual(out.trimEnd().split('\n'), [
      'build/unit │ ▸ Install',
      'build/unit │ added 3 packages',
      'build/unit │ [4 lines are missing here.]',
    ])
  })

  test('asks once for all lines, and goes on behind the last one after a connection that broke', async () => {
    const texts = Array.from({ length: 5000 }, (_, number) => `line ${number}`)
    const fold = JSON.stringify(line(3000, '::group::x', { fold: { kind: 'start', title: 'x' } }))
    const log = (size: number) => `${block(texts, 0, 3000, size)}${fold}\n${block(texts, 3001, 5000, size)}`
    let asked = 0
    await using here = await stage((_request, response) => {
      asked += 1
      // Rows that were packed in between are cut at other places.
      const text = log(asked === 1 ? 700 : 1100)
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) })
      if (asked > 1) response.end(text)
      else response.write(text.slice(0, text.indexOf('line 4000') + 4), () => response.destroy())
    })
    const { code, out } = await here.run(['run', 'logs', ID, '--task', 'unit'])
    assert.deepEqual([code, asked], [0, 2])
    assert.deepEqual(
      out.trimEnd().split('\n'),
      texts.map((text, number) => `build/unit │ ${number === 3000 ? '▸ x' : text}`),
    )
    assert.equal(here.api.seen[0]?.path, `/v1/runs/${ID}/logs/download?format=blocks&task=unit`)
  })

  test('print no byte that is no UTF-8: a terminal may obey it', async () => {
    const text = Buffer.from('grüße\nX31m\n')
    text[text.indexOf('X')] = 0x9b
    const head = { step: 'build', task: 'unit', attempt: 1, number: 0, lines: 2, bytes: text.length }
    await using here = await stage((_request, response) => {
      response.write(`${JSON.stringify(head)}\n`)
      response.end(text)
    })
    const { out } = await here.run(['run', 'logs', ID])
    assert.equal(out, 'build/unit │ grüße\nbuild/unit │ \ufffd31m\n')
  })

  test('as JSON hold all that the API says of each line, each once', async () => {
    const entries = Array.from({ length: 500 }, (_, number) => `${JSON.stringify(line(number, `line ${number}`))}\n`)
    let asked = 0
    await using here = await stage((_request, response) => {
      asked += 1
      response.writeHead(200, { 'content-length': entries.join('').length })
      if (asked > 1) response.end(entries.join(''))
      else response.write(entries.slice(0, 300).join('').slice(0, -5), () => response.destroy())
    })
    const { out } = await here.run(['run', 'logs', ID, '--json'])
    assert.equal(here.api.seen[0]?.path, `/v1/runs/${ID}/logs/download?format=ndjson`)
    assert.deepEqual(
      JSON.parse(out),
      entries.map((entry) => JSON.parse(entry)),
    )
  })

  test('steer no terminal, whichever line of a block holds what would', async () => {
    const texts = ['fine', '\u001b[2Jgone', '10 %\r100 %', 'grüße\ttab', '\u202eniam', '']
    await using here = await stage((_request, response) => response.end(block(texts, 0, texts.length, 10)))
    const { out } = await here.run(['run', 'logs', ID])
    const shown = ['fine', 'gone', '100 %', 'grüße\ttab', '\\u{202e}niam', '']
    assert.equal(out, shown.map((text) => `build/unit │ ${text}\n`).join(''))
  })

  test('asks for the last lines in one page, and for an expression in one answer', async () => {
    await using here = await stage((request, response) => {
      if (request.path.includes('download')) response.end(`\n\n${block(['a'], 0, 1, 1)}\n`)
      else answer(response, 200, [line(0, 'a')])
    })
    for (const words of [
      ['--tail', '5'],
      ['--regex', 'a+', '--task', 'unit'],
    ]) {
      assert.equal((await here.run(['run', 'logs', ID, ...words])).out, 'build/unit │ a\n')
    }
    assert.deepEqual(
      here.api.seen.map(({ path }) => path),
      [`/v1/runs/${ID}/logs?tail=5`, `/v1/runs/${ID}/logs/download?format=blocks&task=unit&regex=a%2B`],
    )
  })

  test('a search that is refused behind its first lines says why, and is not asked again', async () => {
    const problem = {
      status: 400,
      code: 'log.expression_invalid',
      title: 'No',
      detail: 'It takes too long for line 7.',
    }
    await using here = await stage((_request, response) =>
      response.end(`${block(['a'], 0, 1, 1)}${JSON.stringify({ problem })}\n`),
    )
    const { out, err } = await here.run(['run', 'logs', ID, '--regex', 'a+'])
    assert.equal(out, 'build/unit │ a\n')
    assert.match(err, /It takes too long for line 7\./)
    assert.equal(here.api.seen.length, 1)
  })

  test('writes a file when all of it has come, also after a connection that broke', async () => {
    let asked = 0
    await using here = await stage((_request, response) => {
      asked += 1
      response.writeHead(200, { 'content-length': 9 })
      if (asked > 1) response.end('a\nb\nc\nd\n\n')
      else response.write('a\nb', () => response.destroy())
    })
    const file = join(here.folder.path, 'run.log')
    const { code } = await here.run(['run', 'logs', ID, '--download', file])
    assert.deepEqual([code, asked, readFileSync(file, 'utf8')], [0, 2, 'a\nb\nc\nd\n\n'])
    assert.equal(existsSync(`${file}.part`), false)
  })

  test('follows to the end with -f and --follow alike, with a search or without, and exits as the run ended', async () => {
    await using here = await stage(({ path }, response) => {
      if (path.endsWith('/logs/stream')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const data = ['compiling', 'linking'].map((text, number) => JSON.stringify(line(number, text)))
        response.end(`id: 1\ndata: ${data[0]}\n\nid: 2\ndata: ${data[1]}\n\nevent: eof\ndata: {}\n\n`)
      } else if (path.endsWith('/events')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {}\n\n')
      } else if (path.includes('/logs?')) answer(response, 200, [])
      else answer(response, 200, FAILED)
    })
    const both = ['build/unit │ compiling', 'build/unit │ linking']
    for (const [flags, expected] of [
      [['-f'], both],
      [['--follow'], both],
      [['-f', '--search', 'LINK'], both.slice(1)],
      [['--follow', '--search', 'LINK'], both.slice(1)],
    ] as const) {
      const { code, out } = await here.run(['run', 'logs', ID, ...flags])
      assert.deepEqual([code, out.trimEnd().split('\n')], [10, expected], flags.join(' '))
    }
  })

  test('refuses what does not go together', async () => {
    await using here = await stage((_request, response) => answer(response, 200, []))
    assert.equal((await here.run(['run', 'logs', ID, '--search', 'a', '--regex', 'a'])).code, 2)
    assert.equal((await here.run(['run', 'logs', ID, '-f', '--tail', '3'])).code, 2)
    assert.equal((await here.run(['run', 'logs', ID, '-f', '--context', '3'])).code, 2)
    assert.equal((await here.run(['run', 'logs', ID, '--around', '3', '--download', 'x'])).code, 2)
    assert.equal(here.api.seen.length, 0)
  })
})

describe('run cancel', () => {
  test('says whether the run has ended, or ends soon', async () => {
    for (const [status, said] of [
      ['canceled', 'is canceled.'],
      ['running', 'is being canceled.'],
    ] as const) {
      await using here = await stage((_request, response) =>
        answer(response, 202, { run_id: ID, status, reason: null }),
      )
      assert.equal((await here.run(['run', 'cancel', ID])).err, `Run ${ID} ${said}\n`)
    }
  })
})

describe('run scrub', () => {
  test('names a secret', async () => {
    await using here = await stage((_request, response) => answer(response, 202, { scrub_id: ID, run_id: ID }))
    const { code, out } = await here.run(['run', 'scrub', ID, '--secret', 'acme/web/token'])
    assert.equal(code, 0)
    assert.equal(out, '')
    assert.equal(here.api.seen[0]?.path, `/v1/runs/${ID}/logs/scrub`)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? '{}'), { secret: 'acme/web/token' })
  })

  test('needs something to scrub', async () => {
    await using here = await stage((_request, response) => answer(response, 202, {}))
    assert.equal((await here.run(['run', 'scrub', ID])).code, 2)
    assert.equal(here.api.seen.length, 0)
  })
})
