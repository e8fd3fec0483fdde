import { type DeliveryOverrides, type SignedDelivery, signWith } from '../gitea/testing.ts'

/** Any payload as Forgejo sends it, such as `aPushPayload()` of Gitea's builders, whose form it shares. */
export function signDelivery(
  payload: unknown,
  delivery: DeliveryOverrides & { readonly secret: string },
): SignedDelivery {
  return signWith(['forgejo', 'gitea', 'gogs'], payload, delivery)
}
