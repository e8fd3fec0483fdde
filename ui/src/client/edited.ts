import type { BodyOf } from '@signalbox/contracts/http/requests'
import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, RequestOf } from './call.ts'
import { invalidate, isConflict } from './queries.ts'
import { write } from './write.ts'

/** What a form edits, and how it is saved. */
interface EditedOptions<O, Stored, Draft> {
  /** The route that replaces the document. */
  readonly route: O & Operation
  readonly params: NonNullable<RequestOf<O>['params']>
  /** The routes whose answers a save changes. */
  readonly changes: readonly Operation[]
  /** As the server answered it last. */
  readonly stored: Stored
  readonly etag: string | undefined
  readonly draftOf: (stored: Stored) => Draft
  /** The document that a draft stands for. What the form has no field for stays as it is stored. */
  readonly documentOf: (draft: Draft, stored: Stored) => BodyOf<O>
  readonly onSaved?: () => void
}

/** A document in a form: what was typed, and how it stands to what is stored. */
export interface Edited<Draft, Document = unknown> {
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
  readonly document: Document
  readonly isChanged: boolean
  readonly isSaving: boolean
  /** The last save has succeeded, and nothing was typed since. */
  readonly isSaved: boolean
  readonly error: Error | null
  readonly save: () => void
  readonly undo: () => void
  /** Both versions and the choice, for where a newer version is met at save. */
  readonly mine: string
  readonly theirs: string
  readonly takeTheirs: () => void
  readonly keepMine: () => void
}

/** What the person began with. */
interface Base<Stored, Draft> {
  readonly stored: Stored
  readonly draft: Draft
  readonly etag: string | undefined
  /** The last version that was read, which is older than one's own save until it is read again. */
  readonly seen: string | undefined
}

/**
 * A document that is edited upon the version with which the person began: a newer one is met at save and shown as a
 * choice. A form in which nothing was typed follows the newest version.
 */
export function useEdited<O, Stored, Draft>(options: EditedOptions<O, Stored, Draft>): Edited<Draft, BodyOf<O>> {
  const { route, params, changes, stored, etag, draftOf, documentOf, onSaved } = options
  const client = useQueryClient()
  const newest = (): Base<Stored, Draft> => ({ stored, draft: draftOf(stored), etag, seen: etag })
  const [base, setBase] = useState(newest)
  const [draft, setDraft] = useState(base.draft)
  const document = documentOf(draft, base.stored)
  const isChanged = JSON.stringify(document) !== JSON.stringify(documentOf(base.draft, base.stored))
  const replace = useMutation({
    mutationFn: (written: { readonly draft: Draft; readonly ifMatch: string | undefined }) =>
      write(route, { params, body: documentOf(written.draft, base.stored), ifMatch: written.ifMatch }),
    onSuccess: async (answer: Answer<SuccessOf<O & Operation>>, written) => {
      setBase({ stored: base.stored, draft: written.draft, etag: answer.etag, seen: etag })
      onSaved?.()
      await invalidate(client, changes)
    },
    // The newer version is shown beside one's own.
    onError: async (error) => {
      if (isConflict(error)) await invalidate(client, changes)
    },
  })

  function begin(): void {
    const next = newest()
    setBase(next)
    setDraft(next.draft)
  }
  if (etag !== base.seen && !isChanged && !replace.isPending) begin()

  return {
    draft,
    setDraft,
    document,
    isChanged,
    isSaving: replace.isPending,
    isSaved: replace.data !== undefined && replace.data.etag === base.etag && !isChanged,
    error: replace.error,
    save: () => replace.mutate({ draft, ifMatch: base.etag }),
    undo: () => setDraft(base.draft),
    mine: JSON.stringify(document, null, 2),
    theirs: JSON.stringify(documentOf(draftOf(stored), stored), null, 2),
    takeTheirs: () => {
      begin()
      replace.reset()
    },
    keepMine: () => replace.mutate({ draft, ifMatch: etag }),
  }
}
