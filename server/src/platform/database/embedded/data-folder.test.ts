import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createLog } from '#platform/log'
import { until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { DatabaseRefused, type RefusalCode } from './refused.ts'
import { type EmbeddedServer, startEmbedded } from './server.ts'

const PROGRAM = join(import.meta.dirname, 'testing/start-program.ts')
const isRoot = process.getuid?.() === 0
const log = createLog({ level: 'silent', pretty: false })
const home = mkdtempSync(join(tmpdir(), 'signalbox-folders-'))
/** A data folder of a cleanly stopped server with three tables: one with rows, one without, and an emptied one. */
const original = join(home, 'original')
let copies = 0
/** Where the rows of the table `kept` lie. */
let fileOfKept = ''

const start = (dataDir: string): Promise<EmbeddedServer> =>
  startEmbedded({ dataDir, log, clock: systemClock, settings: { fsync: 'off' } })

async function query(server: Pick<EmbeddedServer, 'url'>, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function copyOf(dataDir: string): string {
  const copy = join(home, `copy-${++copies}`)
  execFileSync('cp', ['-a', dataDir, copy])
  return copy
}

/** The files that a start inspects first: quicker to copy than a whole cluster. */
function anOutline(): string {
  const dataDir = join(home, `outline-${++copies}`)

  mkdirSync(dataDir, { mode: 0o711 })
  execFileSync('sh', [
    '-c',
    'tar c -C "$1" --exclude base/5 --exclude base/4 --exclude base/1 --exclude "base/16*" --exclude pg_wal postgres | tar xp -C "$2"',
    '-',
    original,
    dataDir,
  ])
  return dataDir
}

/** Copies like an archiver: only files with bytes in them, and the folders that those need. */
function leaveOutWhatIsEmpty(dataDir: string): void {
  execFileSync('find', [dataDir, '-depth', '-empty', '-delete'])
}

/** Everything below a folder with its size and time, to see whether anything was touched. */
function listing(folder: string): string {
  return execFileSync('find', [folder, '-printf', '%P %y %s %T@\n'], { encoding: 'utf8' })
}

async function refusal(dataDir: string): Promise<DatabaseRefused> {
  const error = await start(dataDir).then(
    async (server) => {
      await server.stop()
      throw new assert.AssertionError({ message: 'the start was not refused' })
    },
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof DatabaseRefused, String(error))
  return error
}

async function assertServes(dataDir: string): Promise<void> {
  const server = await start(dataDir)
  try {
    assert.deepEqual(await query(server, 'select name from kept'), [{ name: 'ada' }])
    for (const table of ['never_filled', 'emptied']) {
      assert.deepEqual(await query(server, `select * from ${table}`), [])
      assert.deepEqual(await query(server, `insert into ${table} values (1, 'new') returning id`), [{ id: 1 }])
    }
  } finally {
    await server.stop()
  }
}

before(async () => {
  chmodSync(home, 0o711)
  const server = await start(original)
  await query(
    server,
    `create table kept (name text); insert into kept values ('ada');
     create table never_filled (id int primary key, body text);
     create table emptied (id int primary key, body text); insert into emptied values (1, 'x'); truncate emptied`,
  )
  const [path] = await query(server, "select pg_relation_filepath('kept') as file")
  fileOfKept = path?.['file'] ?? ''
  await server.stop()
})
after(() => rmSync(home, { recursive: true, force: true }))

describe('a folder that is not a whole cluster is named, and nothing in it is touched', () => {
  const spoiled: readonly (readonly [string, RefusalCode, (cluster: string, dataDir: string) => void])[] = [
    ['PG_VERSION is gone', 'database.not_understood', (cluster) => rmSync(join(cluster, 'PG_VERSION'))],
    ['the control file is gone', 'database.not_understood', (cluster) => rmSync(join(cluster, 'global/pg_control'))],
    [
      'something else lies there',
      'database.not_understood',
      (cluster) => {
        execFileSync('find', [cluster, '-mindepth', '1', '-delete'])
        writeFileSync(join(cluster, 'thesis.txt'), 'years of work')
        chownSync(join(cluster, 'thesis.txt'), statSync(cluster).uid, statSync(cluster).gid)
      },
    ],
    [
      'it is a link to a disk that is not mounted',
      'database.not_understood',
      (cluster) => execFileSync('sh', ['-c', 'mv "$1" "$1.away" && ln -s nowhere "$1"', '-', cluster]),
    ],
    [
      'another PostgreSQL made it',
      'database.other_major',
      (cluster) => writeFileSync(join(cluster, 'PG_VERSION'), '17\n'),
    ],
    [
      'an earlier build put the database elsewhere',
      'database.not_understood',
      (cluster, dataDir) => {
        writeFileSync(join(dataDir, 'postgres.location'), '/var/lib/signalbox/0123456789ab\n')
        execFileSync('mv', [cluster, `${cluster}.away`])
      },
    ],
    ['others may enter it', 'database.wrong_owner', (cluster) => chmodSync(cluster, 0o755)],
  ]
  for (const [what, code, spoil] of spoiled) {
    test(what, async () => {
      const dataDir = anOutline()
      const cluster = join(dataDir, 'postgres')
      spoil(cluster, dataDir)
      const as = listing(dataDir)
      const error = await refusal(dataDir)
      assert.equal(error.code, code)
      assert.ok(error.message.includes(cluster), error.message)
      assert.equal(listing(dataDir), as)
    })
  }

  test('it belongs to another account, and the sentence gives it back', { skip: !isRoot }, async () => {
    const dataDir = copyOf(original)
    execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
    const { code, message } = await refusal(dataDir)
    assert.equal(code, 'database.wrong_owner')
    const command = /chown -R \d+:\d+ \S+(?=\.)/.exec(message)?.[0] ?? ''
    execFileSync('sh', ['-c', command])
    await assertServes(dataDir)
  })

  for (const [what, spoil] of [
    ['damaged', (file: string) => writeFileSync(file, Buffer.alloc(8192, 7), { flag: 'r+' })],
    ['cut short', (file: string) => truncateSync(file, 100)],
  ] as const) {
    test(`its control file is ${what}`, async () => {
      const dataDir = anOutline()
      spoil(join(dataDir, 'postgres/global/pg_control'))
      const { code, message } = await refusal(dataDir)
      assert.equal(code, 'database.damaged')
      assert.match(message, /Restore the data folder from a backup/)
      assert.ok(existsSync(join(dataDir, 'postgres/base')))
    })
  }
})

describe('a copy', () => {
  test('without empty files and folders has everything, after a clean stop', async () => {
    const dataDir = copyOf(original)
    const empty = execFileSync('find', [join(dataDir, 'postgres'), '-empty'], { encoding: 'utf8' }).split('\n').length
    assert.ok(empty > 50)
    leaveOutWhatIsEmpty(dataDir)
    await assertServes(dataDir)
    // A table that was filled since no longer counts as empty: a second such copy is as good.
    const second = copyOf(dataDir)
    leaveOutWhatIsEmpty(second)
    const server = await start(second)
    assert.deepEqual(await query(server, 'select body from never_filled'), [{ body: 'new' }])
    await server.stop()
  })

  test('of a killed server that lacks files of tables is refused, not filled with empty tables', async () => {
    const dataDir = copyOf(original)
    const { killed } = await startAndKill(dataDir, 'insert into emptied values (2, null); checkpoint')
    assert.equal(killed, 'SIGKILL')
    rmSync(join(dataDir, 'postgres/postmaster.pid'))
    leaveOutWhatIsEmpty(dataDir)
    const { code, message } = await refusal(dataDir)
    assert.equal(code, 'database.damaged')
    assert.match(message, /never_filled/)
  })

  test('that lacks the file of a table with rows is refused, also after a clean stop', async () => {
    const dataDir = copyOf(original)
    rmSync(join(dataDir, 'postgres', fileOfKept))
    const { code, message } = await refusal(dataDir)
    assert.equal(code, 'database.damaged')
    assert.match(message, /of 1 tables or indexes, such as kept/)
  })

  test('of a killed server that lacks only empty folders has everything', async () => {
    const dataDir = copyOf(original)
    await startAndKill(dataDir, 'select 1')
    execFileSync('find', [dataDir, '-depth', '-type', 'd', '-empty', '-delete'])
    await assertServes(dataDir)
  })

  test('beside a running original leaves it running', async () => {
    const dataDir = copyOf(original)
    const server = await start(dataDir)
    const pid = server.pid
    const copy = copyOf(dataDir)
    const second = await start(copy)
    assert.equal(server.pid, pid)
    assert.deepEqual(await query(server, 'select name from kept'), [{ name: 'ada' }])
    assert.deepEqual(await query(second, 'select name from kept'), [{ name: 'ada' }])
    await second.stop()
    await server.stop()
  })
})

/** Kills the server and its starter after a statement. */
async function startAndKill(dataDir: string, statement: string): Promise<{ killed: unknown }> {
  const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(child.stdout, 'data')
  await query({ url: String(url).trim() }, statement)
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  child.kill('SIGKILL')
  const [, killed] = await once(child, 'exit')
  process.kill(pid, 'SIGKILL')
  await until(
    'the end of the server and its servants',
    async () => execFileSync('sh', ['-c', `kill -0 ${pid} 2>/dev/null && echo alive || true`], { encoding: 'utf8' }),
    (state) => state === '',
  )
  return { killed }
}

describe('a first start that is killed', () => {
  const unfinished = (dataDir: string): string[] =>
    readdirSync(dataDir).filter((name) => name.startsWith('postgres.unfinished'))

  async function assertRecovers(dataDir: string): Promise<void> {
    const server = await start(dataDir)
    await query(server, 'create table after_all (id int)')
    assert.deepEqual(unfinished(dataDir), [])
    await server.stop()
  }

  for (const step of ['initialized', 'filled', 'renamed']) {
    test(`after the step "${step}"`, async () => {
      const dataDir = join(home, `killed-${step}`)
      const child = spawn(process.execPath, [PROGRAM, dataDir, step], { stdio: 'inherit' })
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
      assert.equal(existsSync(join(dataDir, 'postgres')), step === 'renamed')
      await assertRecovers(dataDir)
    })
  }

  test('while initdb writes, which then goes on by itself', async () => {
    const dataDir = join(home, 'killed-in-initdb')
    const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: 'inherit' })
    const ended = once(child, 'exit')
    await until(
      'initdb at work',
      async () =>
        existsSync(dataDir) && unfinished(dataDir).some((name) => existsSync(join(dataDir, name, 'PG_VERSION'))),
      (atWork) => atWork,
    )
    child.kill('SIGKILL')
    await ended
    const server = await start(dataDir)
    await query(server, 'create table after_all (id int)')
    await server.stop()
  })

  test('leaves alone what only looks unfinished: a server was started on it', async () => {
    const dataDir = join(home, 'renamed-by-hand')
    mkdirSync(dataDir, { mode: 0o711 })
    execFileSync('cp', ['-a', join(original, 'postgres'), join(dataDir, 'postgres.unfinished-mine')])
    const as = listing(join(dataDir, 'postgres.unfinished-mine'))
    const server = await start(dataDir)
    await server.stop()
    assert.equal(listing(join(dataDir, 'postgres.unfinished-mine')), as)
  })
})

describe("a data folder that PostgreSQL's account cannot enter", { skip: !isRoot }, () => {
  test('holds its cluster all the same, stays closed, and is gone when it is wiped', async () => {
    const closed = join(home, 'closed')
    const dataDir = join(closed, 'data')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const first = await start(dataDir)
    await query(first, 'create table teams (id int)')
    process.kill(first.pid ?? 0, 'SIGKILL')
    await until(
      'the server to answer again',
      () =>
        query(first, 'select 1').then(
          () => true,
          () => false,
        ),
      (answers) => answers,
    )
    await first.stop()
    assert.deepEqual(
      [closed, dataDir].map((folder) => lstatSync(folder).mode & 0o777),
      [0o700, 0o700],
    )
    assert.ok(existsSync(join(dataDir, 'postgres/PG_VERSION')))

    const again = await start(dataDir)
    assert.deepEqual(await query(again, 'select * from teams'), [])
    await again.stop()

    rmSync(dataDir, { recursive: true })
    mkdirSync(dataDir, { mode: 0o700 })
    const fresh = await start(dataDir)
    assert.deepEqual(await query(fresh, "select to_regclass('teams') as teams"), [{ teams: null }])
    await fresh.stop()
  })
})
