import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** Passwords as argon2id in PHC form (`$argon2id$v=19$m=...,t=...,p=...$salt$hash`), RFC 9106. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one behind `phc`. With `undefined` (no such user, no password) it takes as long and is
   * false: the time of an answer does not tell which users exist. Throws PasswordsBusy when too many wait.
   */
  verify(phc: string | undefined, password: string): Promise<boolean>
}

export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
  readonly code = 'crypto.passwords_busy'
}

interface Parameters {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

// OWASP's recommendation of 2026 for argon2id: 19 MiB, 2 passes, 1 lane; about 30 ms.
const CURRENT: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
const SALT_BYTES = 16
// Each takes 19 MiB and a thread of the pool: more at once would starve file and DNS work.
const AT_ONCE = 2
const MAX_WAITING = 64
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= MAX_WAITING) throw new PasswordsBusy('Too many passwords are being checked')
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      const hash = await inTurn(() => derive(password, salt, CURRENT, TAG_BYTES))
      const { memory, passes, parallelism } = CURRENT
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
    },
    async verify(phc, password) {
      const parts = phc === undefined ? undefined : PHC.exec(phc)
      if (!parts) {
        await inTurn(() => derive(password, Buffer.alloc(SALT_BYTES), CURRENT, TAG_BYTES))
        return false
      }
      const [, memory = '', passes = '', parallelism = '', salt = '', hash = ''] = parts
      const expected = Buffer.from(hash, 'base64')
      const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      const actual = await inTurn(() => derive(password, Buffer.from(salt, 'base64'), parameters, expected.length))
      return timingSafeEqual(actual, expected)
    },
  }
}

/** NFKC first: the same password typed on two keyboards is the same bytes. */
function derive(password: string, nonce: Buffer, parameters: Parameters, tagLength: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'), 'utf8')
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, tagLength, ...parameters }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    )
  })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
