import type { Option } from './options.ts'

export type OptionValue = string | number | boolean | readonly unknown[]

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Answers the value, or a sentence about its fault (which never repeats a secret). */
export function parseValue(option: Option, raw: unknown): { value: OptionValue } | { wrong: string } {
  const text = Array.isArray(raw) ? raw.join(',') : String(raw)
  switch (option.type) {
    case 'string':
      if (option.minLength && text !== '' && text.length < option.minLength) {
        return { wrong: `must have at least ${option.minLength} characters` }
      }
      return { value: text }
    case 'integer':
      return parseNumber(option, /^-?\d+$/.test(text) ? Number(text) : Number.NaN, 'a whole number')
    case 'bytes': {
      const match = /^(\d+)\s*(B|KiB|MiB|GiB|)$/.exec(text)
      const factor = UNITS[match?.[2] ?? ''] ?? 1
      return parseNumber(option, match ? Number(match[1]) * factor : Number.NaN, 'a size such as 512KiB or 25MiB')
    }
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(text)) return { value: true }
      if (/^(false|0|no|off)$/i.test(text)) return { value: false }
      return { wrong: 'must be true or false' }
    case 'url':
      if (!URL.canParse(text) || !/^https?:/.test(text)) return { wrong: 'must be an http or https address' }
      // Paths are added to it. A lone "?" or "#" leaves nothing behind in the parsed address.
      if (/[?#]/.test(text)) return { wrong: 'must not hold a query or a fragment' }
      return { value: text.replace(/\/+$/, '') }
    case 'list':
      return {
        value: text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      }
    case 'entries':
      return parseEntries(raw)
    case 'level':
      return LEVELS.includes(text) ? { value: text } : { wrong: `must be one of ${LEVELS.join(', ')}` }
    default: {
      const never: never = option.type
      return never
    }
  }
}

/** A list of YAML as it is; JSON in the environment. */
function parseEntries(raw: unknown): { value: readonly unknown[] } | { wrong: string } {
  const entries = typeof raw === 'string' ? parseJson(raw) : raw
  return Array.isArray(entries) ? { value: entries } : { wrong: 'must be a list; in the environment as JSON' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseNumber(option: Option, value: number, form: string): { value: number } | { wrong: string } {
  if (!Number.isSafeInteger(value)) return { wrong: `must be ${form}` }
  if (option.min !== undefined && value < option.min) return { wrong: `must be at least ${option.min}` }
  if (option.max !== undefined && value > option.max) return { wrong: `must be at most ${option.max}` }
  return { value }
}
