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
