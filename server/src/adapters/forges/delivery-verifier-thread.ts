import { answerInThread } from '#platform/threads'
import type { DeliveryToVerify } from './delivery-verifier-message.ts'
import { findForge } from './registry.ts'
import { type DeliveryVerification, verifyDelivery } from './verify-delivery.ts'

// The program of the second thread.

answerInThread(
  ({ forge: id, rawBody, secrets, headers, authMode, receivedAt }: DeliveryToVerify): DeliveryVerification | null => {
    const forge = findForge(id)
    const request = { headers, authMode, receivedAt, rawBody: view(rawBody), secrets: secrets.map(view) }
    return forge ? verifyDelivery(forge, request) : null
  },
)

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
