import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { pushBodies } from './push-bodies.ts'

/** A whole HTTP request, of which only the delivery's id changes from one sending to the next. */
export interface PushRequest {
  readonly bytes: Buffer
  /** A UUID in its text form. Not while an earlier sending is still being written. */
  setDeliveryId(id: string): void
}

export interface PushTarget {
  readonly port: number
  readonly path: string
  readonly secret: string
}

const ID_PLACE = '00000000-0000-4000-8000-000000000000'

const TEMPLATES = 4
const AFTER = '"after":"'
const SIGNATURE = 'X-Hub-Signature-256: sha256='

/** Signed pushes that differ in the commit that was pushed; `from` numbers them. Some 20 us each, most of it the HMAC. */
export function distinctPushRequests(target: PushTarget, count: number, from: number): PushRequest[] {
  const key = createSecretKey(Buffer.from(target.secret))
  const templates = pushRequests(target, TEMPLATES).map(({ bytes }) => ({
    bytes,
    bodyAt: bytes.indexOf('\r\n\r\n') + 4,
    idAt: bytes.indexOf(ID_PLACE),
    afterAt: bytes.indexOf(AFTER) + AFTER.length,
    signatureAt: bytes.indexOf(SIGNATURE) + SIGNATURE.length,
  }))
  return Array.from({ length: count }, (_, at) => {
    const template = templates[at % templates.length]
    if (!template) throw new Error('There is no template of a push.')
    const bytes = Buffer.from(template.bytes)
    bytes.write(
      createHash('sha1')
        .update(`distinct ${from + at}`)
        .digest('hex'),
      template.afterAt,
      'latin1',
    )
    const signature = createHmac('sha256', key).update(bytes.subarray(template.bodyAt)).digest('hex')
    bytes.write(signature, template.signatureAt, 'latin1')
    return { bytes, setDeliveryId: (id) => void bytes.write(id, template.idAt, ID_PLACE.length, 'latin1') }
  })
}

/** Signed pushes as requests; `from` numbers the bodies, so that no two callers send the same. */
export function pushRequests(target: PushTarget, count: number, from = 0): PushRequest[] {
  return pushBodies(target.secret, count, from).map(({ headers, body }) => {
    const all = {
      ...headers,
      'X-GitHub-Delivery': ID_PLACE,
      Host: `127.0.0.1:${target.port}`,
      'Content-Length': String(body.length),
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST ${target.path} HTTP/1.1\r\n${lines.join('')}\r\n`
    const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body])
    const idAt = head.indexOf(ID_PLACE)
    return { bytes, setDeliveryId: (id) => void bytes.write(id, idAt, ID_PLACE.length, 'latin1') }
  })
}
