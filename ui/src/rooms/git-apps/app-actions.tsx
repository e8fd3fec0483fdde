import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import { AllowedButton } from '../../components/index.ts'
import { type App, CHANGES } from './git-app.ts'
import { RotateKeys } from './rotate-keys.tsx'

interface AppActionsProps {
  readonly app: App
  readonly etag: string | undefined
}

/** New keys, and to forget the app. */
export function AppActions({ app, etag }: AppActionsProps): ReactNode {
  const [dialog, setDialog] = useState<'keys' | 'forget'>()
  const close = (): void => setDialog(undefined)
  const remove = useWrite(gitAppRoutes.deleteGitApp, { changes: CHANGES, onDone: close })
  const right = { permission: 'git_app.write', at: '/', variant: 'default' } as const
  return (
    <>
      <AllowedButton {...right} onClick={() => setDialog('keys')}>
        New keys
      </AllowedButton>
      <AllowedButton {...right} onClick={() => setDialog('forget')}>
        Forget
      </AllowedButton>
      {dialog === 'keys' && <RotateKeys app={app} etag={etag} onClose={close} />}
      {dialog === 'forget' && (
        <DeleteDialog
          title={`Forget the app ${app.name ?? app.app_id}?`}
          loss="Its keys and installations go, and nothing acts for it any more. It stays at the provider: delete it there, too."
          action="Forget"
          stored={app}
          etag={etag}
          write={remove}
          onDelete={(ifMatch) => remove.mutate({ params: { provider: app.provider }, ifMatch })}
          onClose={close}
        />
      )}
    </>
  )
}
