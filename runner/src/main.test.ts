import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { runRunner } from './main.ts'
import { eventually } from './testing/eventually.ts'
import { processEnded } from './testing/processes.ts'
import { startRunner, temporaryFolder } from './testing/runner-under-test.ts'

const numbers = (count: number, pause = '0.01') =>
  `i=0; while [ $i -lt ${count} ]; do echo "line $i"; i=$((i+1)); sleep ${pause}; done`
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)

/** The pid that a task printed as `<name>=<pid>`. */
const printedPid = (texts: readonly string[], name: string): number =>
  Number(texts.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1))

/** State, parent, process group and the rest of a process; nothing when it has gone. */
const statFieldsOf = (pid: string): string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** A gate that tasks wait at until the test opens it. */
const openGate = () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const file = join(folder.path, 'open')
  return {
    /** The command that waits. */
    wait: `until [ -e ${file} ]; do sleep 0.02; done`,
    /** The head of a loop that ends when it opens: `... do <what>; done`. */
    while: `until [ -e ${file} ];`,
    open: () => writeFileSync(file, ''),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

// Each has a gateway and a work-dir of its own, and most of them wait.
describe('a runner', { concurrency: 4 }, () => {
  test('runs an assigned script and reports lines, result and outputs', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const before = Date.now()
    gateway.assign({
      fence: 7n,
      script: 'echo one; echo two >&2; printf three; echo "coverage=81" >> "$SIGNALBOX_OUTPUT"',
      outputs: [{ name: 'coverage' }],
    })
    const finished = await gateway.finished(7n)
    assert.equal(finished.result, Result.SUCCESS, finished.reason)
    assert.equal(finished.exitCode, 0)
    assert.deepEqual(gateway.texts(7n, 'stdout'), ['one', 'three'])
    assert.deepEqual(gateway.texts(7n, 'stderr'), ['two'])
    assert.deepEqual(
      finished.outputs.map(({ name, value, sensitive }) => ({ name, value, sensitive })),
      [{ name: 'coverage', value: '81', sensitive: false }],
    )
    assert.ok((gateway.attempts.get(7n)?.startedAtMs ?? 0) >= before)
    assert.deepEqual(gateway.violations, [])
  })

  test('gives a task its declared environment and nothing of the runner', async () => {
    process.env['RUNNER_ONLY'] = 'must not be seen'
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'env | cut -d= -f1 | sort; pwd; echo "$HOME"; id -u', environment: { A: 'b' } })
    await gateway.finished(1n)
    delete process.env['RUNNER_ONLY']
    const [uid, home, directory, ...names] = gateway.texts(1n).toReversed()
    const shellOwn = ['PWD', 'OLDPWD', 'SHLVL', '_']
    assert.deepEqual(
      names.toReversed().filter((name) => !shellOwn.includes(name)),
      [
        'A',
        'CI',
        'HOME',
        'LANG',
        'PATH',
        'SIGNALBOX',
        'SIGNALBOX_ATTEMPT',
        'SIGNALBOX_FENCE',
        'SIGNALBOX_OUTPUT',
        'SIGNALBOX_PIPELINE',
        'SIGNALBOX_RUN_ID',
        'SIGNALBOX_SCOPE',
        'SIGNALBOX_STEP',
        'SIGNALBOX_TASK',
        'SIGNALBOX_WORKSPACE',
        'TEMP',
        'TMP',
        'TMPDIR',
      ],
    )
    assert.equal(home, directory)
    if (process.getuid?.() === 0) assert.ok(Number(uid) >= 60_706 && Number(uid) < 61_183, uid)
  })

  test('a failing command ends the script; a signal, a missing program and bad bytes have their sentence', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'echo before; false; echo after' })
    gateway.assign({ fence: 2n, script: 'kill -9 $$' })
    gateway.assign({ fence: 3n, script: 'echo \0' })
    gateway.assign({ fence: 4n, script: 'true', environment: { A: 'x\0y' } })
    gateway.assign({ fence: 5n, script: 'true', environment: { BIG: 'x'.repeat(200_000) } })
    gateway.assign({ fence: 6n, script: `: ${'x'.repeat(300_000)}\necho long` })
    const finished = await Promise.all([1n, 2n, 3n, 4n, 5n, 6n].map((fence) => gateway.finished(fence)))
    assert.deepEqual(
      finished.map(({ result, exitCode, reason }) => [result, exitCode, reason]),
      [
        [Result.FAILURE, 1, 'The script ended with exit code 1.'],
        [Result.FAILURE, undefined, 'The script was ended by SIGKILL.'],
        [Result.FAILURE, undefined, 'The script contains a NUL character, which no process can be given.'],
        [Result.FAILURE, undefined, 'The environment variable A contains a NUL character.'],
        [
          Result.FAILURE,
          undefined,
          'The process could not be started: its script and environment are larger than the system allows for a process.',
        ],
        [Result.SUCCESS, 0, ''],
      ],
    )
    assert.deepEqual(gateway.texts(1n), ['before'])
    assert.deepEqual(gateway.texts(6n), ['long'])
  })

  test('every line arrives exactly once although the control plane is killed twice meanwhile', async () => {
    await using runner = await startRunner()
    using gate = openGate()
    const { gateway } = runner
    // The task does not end before the second death, however slow the machine is.
    gateway.assign({ fence: 1n, script: `${numbers(119)}; ${gate.wait}; echo "line 119"` })
    for (const [deaths, lines] of [20, 60].entries()) {
      // Many lines may come at once: it is killed again only after the runner has greeted it.
      const reached = () => gateway.hellos.length > deaths && gateway.texts(1n).length >= lines
      await gateway.until(reached, `greeted after ${deaths} deaths, with ${lines} lines`)
      gateway.kill()
      await gateway.start()
    }
    await gateway.until(() => gateway.hellos.length === 3, 'the third greeting')
    gate.open()
    const finished = await gateway.finished(1n)
    assert.equal(finished.result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n), numbered(120))
    assert.equal(gateway.hellos.length, 3)
    assert.deepEqual(
      gateway.hellos.at(-1)?.attempts.map(({ fence }) => fence),
      [1n],
    )
    assert.deepEqual(gateway.violations, [])
  })

  test('a task that ends while the control plane is away is reported afterwards', async () => {
    await using runner = await startRunner()
    using gate = openGate()
    const { gateway } = runner
    gateway.acknowledges = false
    gateway.assign({ fence: 1n, script: `echo "self=$$"; ${gate.wait}; echo last` })
    await gateway.until(() => gateway.texts(1n).length === 1, 'the first line')
    gateway.kill()
    gate.open()
    const pid = printedPid(gateway.texts(1n), 'self')
    await processEnded(pid)
    gateway.acknowledges = true
    await gateway.start()
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n), [`self=${pid}`, 'last'])
    assert.deepEqual(gateway.violations, [])
  })

  test('cancel ends a whole process group that ignores SIGTERM, after the grace', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const script = 'trap "" TERM; (while :; do sleep 1; done) & echo "child=$!"; while :; do sleep 1; done'
    gateway.assign({ fence: 1n, script, graceSeconds: 1 })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task runs')
    gateway.send({ case: 'cancel', value: { fence: 1n, reason: 'Canceled by ada.' } })
    const finished = await gateway.finished(1n)
    assert.deepEqual([finished.result, finished.reason], [Result.CANCELED, 'Canceled by ada.'])
    await processEnded(printedPid(gateway.texts(1n), 'child'))
  })

  test('cancel gives a task the time to clean up', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const script = 'trap "echo cleaned; exit 0" TERM; echo on; while :; do sleep 0.05; done'
    gateway.assign({ fence: 1n, script, graceSeconds: 300 })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task runs')
    gateway.send({ case: 'cancel', value: { fence: 1n, reason: '' } })
    assert.equal((await gateway.finished(1n)).result, Result.CANCELED)
    // The shell itself may say on stderr that its `sleep` was terminated.
    assert.deepEqual(gateway.texts(1n, 'stdout'), ['on', 'cleaned'])
  })

  test('a task that takes too long is timed out', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'sleep 30', timeoutSeconds: 1 })
    const finished = await gateway.finished(1n)
    assert.deepEqual(
      [finished.result, finished.reason],
      [Result.TIMED_OUT, 'The task took longer than its timeout of 1 s.'],
    )
  })

  test('what a task leaves in the background is killed, even when it left the process group', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'sleep 300 & echo "group=$!"; setsid sleep 301 & echo "session=$!"' })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)
    await processEnded(printedPid(gateway.texts(1n), 'group'))
    runner.button.press()
    await runner.left
    await processEnded(printedPid(gateway.texts(1n), 'session'))
  })

  test('a task that multiplies without end is killed as a whole when its time is over', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    // Seven generations of two children each: each of them keeps some memory, and waits for its own.
    const script = [
      'echo "group=$$"; trap "" TERM',
      'many() { x=$(head -c 100000 /dev/zero | tr "\\0" x); if [ "$1" -gt 6 ]; then sleep 300',
      'else many $(($1+1)) & many $(($1+1)) & wait; fi; }',
      'many 0',
    ].join('\n')
    gateway.assign({ fence: 1n, script, timeoutSeconds: 2, graceSeconds: 1 })
    assert.equal((await gateway.finished(1n)).result, Result.TIMED_OUT)
    const group = printedPid(gateway.texts(1n), 'group')
    const members = () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => statFieldsOf(name))
        .filter(([state, , processGroup]) => state !== 'Z' && Number(processGroup) === group)
    assert.ok(group > 0)
    await eventually(() => members().length === 0, 'none of them is left')
    gateway.assign({ fence: 2n, script: 'true' })
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
  })

  test('an attempt whose starter of processes dies is lost, with that reason, and the next one runs', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const script = 'setsid sleep 303 & echo "session=$!"; cut -d" " -f4 /proc/$$/stat | sed s/^/starter=/; sleep 60'
    gateway.assign({ fence: 1n, script })
    await gateway.until(() => gateway.texts(1n).length === 2, 'the task runs')
    process.kill(printedPid(gateway.texts(1n), 'starter'), 'SIGKILL')
    const finished = await gateway.finished(1n)
    assert.equal(finished.result, Result.LOST)
    assert.match(finished.reason, /process that starts tasks ended \(SIGKILL\); this task was killed with it/)
    await processEnded(printedPid(gateway.texts(1n), 'session'))
    gateway.assign({ fence: 2n, script: 'true' })
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
  })

  test('masks secrets and sensitive outputs before a line leaves, also when a write cuts them', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({
      fence: 1n,
      script: [
        'echo "whole $TOKEN"; printf "%s" "cut-me-"; sleep 0.2; echo "in-two"',
        'printf "u:%s" "$TOKEN" | base64',
        'echo "session=generated-$((40+2))-value" >> "$SIGNALBOX_OUTPUT"; echo "now generated-42-value"',
        'echo "plain=has $TOKEN inside" >> "$SIGNALBOX_OUTPUT"',
      ].join('\n'),
      environment: { TOKEN: 's3cr3t/value+1' },
      maskedValues: ['s3cr3t/value+1', 'cut-me-in-two'],
      outputs: [{ name: 'session', sensitive: true }, { name: 'plain' }],
    })
    const finished = await gateway.finished(1n)
    assert.equal(finished.result, Result.SUCCESS, finished.reason)
    const [whole, cut, encoded, generated] = gateway.texts(1n)
    assert.deepEqual([whole, cut, generated], ['whole ***', '***', 'now ***'])
    assert.ok(encoded?.includes('***'))
    const outputs = finished.outputs.map(({ name, sensitive }) => [name, sensitive])
    assert.deepEqual(outputs, [
      ['session', true],
      ['plain', true],
    ])
  })

  test('a lost lease kills the task and reports nothing', async () => {
    await using runner = await startRunner()
    using gate = openGate()
    const { gateway } = runner
    const lost = gateway.assign({ fence: 1n, script: 'echo "self=$$"; sleep 60' })
    const kept = gateway.assign({ fence: 2n, script: `echo on; ${gate.wait}` })
    await gateway.until(() => lost.lines.length > 0 && kept.lines.length > 0, 'both run')
    gateway.endLease(1n)
    await processEnded(printedPid(gateway.texts(1n), 'self'))
    gate.open()
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
    assert.equal(lost.finished, undefined)
  })

  test('what the control plane calls lost at a reconnection is killed too', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const attempt = gateway.assign({ fence: 1n, script: 'echo "self=$$"; sleep 60' })
    await gateway.until(() => attempt.lines.length > 0, 'the task runs')
    gateway.kill()
    gateway.endLease(1n)
    await gateway.start()
    await processEnded(printedPid(gateway.texts(1n), 'self'))
    assert.equal(attempt.finished, undefined)
  })

  test('without a control plane, a task that may be tried again ends with its lease; another one goes on', async () => {
    await using runner = await startRunner()
    using gate = openGate()
    const { gateway } = runner
    const strict = gateway.assign({ fence: 1n, script: 'echo "self=$$"; sleep 60', stopWhenLeaseEnds: true })
    const lenient = gateway.assign({ fence: 2n, script: `echo on; ${gate.wait}; echo late` })
    await gateway.until(() => strict.lines.length > 0 && lenient.lines.length > 0, 'both run')
    await gateway.shortenLease(1)
    gateway.kill()
    await processEnded(printedPid(gateway.texts(1n), 'self'))
    gate.open()
    await gateway.start()
    assert.equal((await gateway.finished(2n)).result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(2n), ['on', 'late'])
    assert.deepEqual(
      gateway.hellos.at(-1)?.attempts.map(({ fence }) => fence),
      [2n],
    )
    assert.equal(strict.finished, undefined, 'nothing of it is reported')
  })

  test('without a control plane, a task goes on for the offline grace and stops after it', async () => {
    await using runner = await startRunner({ offlineGraceSeconds: 1 })
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'echo "self=$$"; sleep 60', graceSeconds: 1 })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task runs')
    await gateway.shortenLease(1)
    gateway.kill()
    await processEnded(printedPid(gateway.texts(1n), 'self'))
    await gateway.start()
    const finished = await gateway.finished(1n)
    assert.equal(finished.result, Result.FAILURE)
    assert.match(finished.reason, /could not reach the control plane/)
  })

  test('drains: finishes what it has, takes nothing new, leaves', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'echo on; sleep 0.4; echo done' })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task runs')
    runner.button.press()
    await gateway.until(() => gateway.runnerDraining, 'the runner drains')
    await runner.left
    assert.equal(gateway.attempts.get(1n)?.finished?.result, Result.SUCCESS)
    assert.deepEqual(gateway.texts(1n), ['on', 'done'])
  })

  test('drains when the control plane asks, and a second stop cancels', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    gateway.assign({ fence: 1n, script: 'echo on; sleep 60' })
    await gateway.until(() => gateway.texts(1n).length > 0, 'the task runs')
    gateway.send({ case: 'drain', value: {} })
    await gateway.until(() => gateway.runnerDraining, 'the runner drains')
    runner.button.press()
    runner.button.press()
    await runner.left
    const finished = gateway.attempts.get(1n)?.finished
    assert.deepEqual([finished?.result, finished?.reason], [Result.CANCELED, 'The runner was stopped.'])
  })

  test('keeps its credential for itself, needs no token again, and holds its work-dir alone', async () => {
    await using runner = await startRunner()
    const { gateway, workDir } = runner
    const credential = join(workDir, 'credential.json')
    assert.equal(statSync(credential).mode & 0o777, 0o600)
    await assert.rejects(runRunner({ url: gateway.url, workDir }), {
      code: 'runner.work_dir_in_use',
      message: new RegExp(`process id ${process.pid}`),
    })
    gateway.assign({ fence: 1n, script: `cat ${credential} || echo refused` })
    await gateway.finished(1n)
    if (process.getuid?.() === 0) assert.equal(gateway.texts(1n, 'stdout').at(-1), 'refused')
    runner.button.press()
    await runner.left
    await gateway.until(() => !gateway.connected, 'the runner has left')
    await using again = await startRunnerAgain(gateway.url, workDir)
    await gateway.connectedRunner()
    assert.ok(again)
  })

  test('a workspace is fresh, and gone afterwards', async () => {
    await using runner = await startRunner({ capacity: 1 })
    const { gateway, workDir } = runner
    for (const fence of [1n, 2n, 3n]) {
      gateway.assign({ fence, script: 'ls -A; mkdir -p a/b; touch a/b/c .hidden; chmod 000 a' })
      assert.equal((await gateway.finished(fence)).result, Result.SUCCESS)
      assert.deepEqual(gateway.texts(fence), [])
    }
    runner.button.press()
    await runner.left
    assert.deepEqual(readdirSync(join(workDir, 'logs')), [])
  })

  test('each greeting names the shared workspaces that it keeps; one goes once the runner is told that it is over', async () => {
    await using runner = await startRunner({ capacity: 1 })
    const { gateway } = runner
    gateway.assign({ fence: 1n, sharedWorkspace: {}, script: 'touch left; pwd' })
    await gateway.finished(1n)
    const [directory = ''] = gateway.texts(1n)
    assert.deepEqual(gateway.hellos[0]?.keptWorkspaces, [])
    gateway.cut()
    await gateway.until(() => gateway.hellos.length === 2, 'the second greeting')
    const kept = gateway.hellos[1]?.keptWorkspaces.map(({ runId, step }) => [runId, step])
    assert.deepEqual(kept, [['r', 's']])
    assert.ok(existsSync(directory))
    gateway.send({ case: 'workspaceOver', value: { runId: 'r', step: 's' } })
    await eventually(() => !existsSync(directory), 'the workspace is gone')
  })

  test('an output file that is not the task own is not read', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    const outputs = [{ name: 'a' }]
    gateway.assign({ fence: 1n, script: 'rm "$SIGNALBOX_OUTPUT"; ln -s /etc/passwd "$SIGNALBOX_OUTPUT"', outputs })
    gateway.assign({ fence: 2n, script: 'rm "$SIGNALBOX_OUTPUT"; mkfifo "$SIGNALBOX_OUTPUT"', outputs })
    gateway.assign({ fence: 3n, script: 'echo "no output" > "$SIGNALBOX_OUTPUT"', outputs })
    assert.match((await gateway.finished(1n)).reason, /output file cannot be read: ELOOP/)
    assert.match((await gateway.finished(2n)).reason, /not a regular file/)
    assert.match((await gateway.finished(3n)).reason, /line 1/)
  })
})

describe('a runner whose tasks print without end', () => {
  test('a flood of output keeps no heartbeat back, is cut at the limit, and says so', async () => {
    await using runner = await startRunner({ logLimitBytes: 4 * 1024 * 1024 })
    using gate = openGate()
    const { gateway } = runner
    const flood = 'yes "a line of the flood with some text in it" | head -c 5000000'
    for (const fence of [1n, 2n, 3n]) {
      gateway.assign({ fence, script: `${gate.while} do ${flood}; done`, maskedValues: ['flood-secret-value'] })
    }
    // The tasks print until the runner has renewed its leases more than once meanwhile.
    await gateway.until(() => gateway.texts(3n).length > 0, 'the flood')
    const before = gateway.heartbeats.length
    await gateway.until(() => gateway.heartbeats.length >= before + 2, 'heartbeats during the flood')
    assert.deepEqual(
      [1n, 2n, 3n].map((fence) => gateway.attempts.get(fence)?.finished),
      [undefined, undefined, undefined],
    )
    gate.open()
    for (const fence of [1n, 2n, 3n]) {
      const { result, reason } = await gateway.finished(fence)
      assert.equal(result, Result.SUCCESS, reason)
    }
    const gaps = gateway.heartbeats.slice(1).map((at, index) => at - (gateway.heartbeats[index] ?? at))
    assert.ok(Math.max(...gaps) < gateway.leaseSeconds * 1000, 'no lease could end')
    const [announced, counted] = gateway.texts(1n, 'system')
    assert.match(announced ?? '', /log limit of this task \(4194304 bytes/)
    assert.match(counted ?? '', /^\d+ lines \(\d+ bytes\) of output were left out here: they were beyond the limit\.$/)
    assert.match(gateway.texts(1n).at(-1) ?? '', /^a line of/)
    assert.deepEqual(gateway.violations, [])
  })
})

const startRunnerAgain = async (url: string, workDir: string): Promise<AsyncDisposable> => {
  const { StopButton } = await import('./main.ts')
  const button = new StopButton()
  const left = runRunner({ url, workDir }, { log: { info: () => {}, warn: () => {} }, stops: button.source })
  return {
    [Symbol.asyncDispose]: async () => {
      button.press()
      await left
    },
  }
}
