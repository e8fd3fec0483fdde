import { type Command } from 'commander'
import { findConnection } from '../config/connection.ts'
import { checkHere } from '../doctor/check-here.ts'
import { checkThere } from '../doctor/check-there.ts'
import type { Finding } from '../doctor/finding.ts'
import { exitCode } from '../exit-codes.ts'
import { escapeText } from '../output/escape.ts'
import type { Tone } from '../output/style.ts'
import { type ApiOptions, apiCommand, type Context } from './context.ts'

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const satisfies Record<Finding['level'], Tone>

/** `doctor`: looks at this machine and at the control plane, and says for each finding what to do. */
export function doctorCommand(context: Context): Command {
  return apiCommand('doctor', 'check the installation; each finding says what to do; exit 7 if a check failed').action(
    async (options: ApiOptions) => {
      const { surroundings } = context
      const connection = findConnection(surroundings, options)
      const there = await checkThere(connection)
      const isReady = there.some(({ name, level }) => name === 'control plane' && level === 'ok')
      const findings = [...(await checkHere(surroundings, { connection, isReady })), ...there]
      if (findings.some(({ level }) => level === 'fail')) context.finish(exitCode('unhealthy'))
      if (options.json) return context.printJson(findings)
      for (const { level, name, message, remedy } of findings) {
        context.printLine(`${context.paint(TONES[level], level.padEnd(4))}  ${name.padEnd(14)}${escapeText(message)}`)
        if (remedy !== undefined && level !== 'ok')
          context.printLine(`      ${' '.repeat(14)}${context.paint('quiet', `→ ${escapeText(remedy)}`)}`)
      }
    },
  )
}
