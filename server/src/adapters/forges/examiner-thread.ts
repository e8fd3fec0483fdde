import { answerInThread } from '#platform/threads'
import { type Examined, examine } from './examine.ts'
import type { DeliveryToExamine } from './examiner-message.ts'
import { findForge } from './registry.ts'

// The program of the second thread.

answerInThread(({ forge: id, rawBody, secrets, headers, authMode, receivedAt }: DeliveryToExamine): Examined | null => {
  const forge = findForge(id)
  const request = { headers, authMode, receivedAt, rawBody: view(rawBody), secrets: secrets.map(view) }
  return forge ? examine(forge, request) : null
})

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
