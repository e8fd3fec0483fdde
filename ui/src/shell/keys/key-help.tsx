import { Kbd, Modal } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { PageLink } from '../../components/index.ts'
import styles from './palette.module.css'

interface KeyHelpProps {
  readonly pages: readonly { readonly key: string; readonly label: string }[]
  readonly onClose: () => void
}

/** All keys, in a dialog. */
export function KeyHelp({ pages, onClose }: KeyHelpProps): ReactNode {
  const keys: readonly (readonly [readonly string[], string])[] = [
    [['Ctrl', 'K'], 'Go to a page or a thing'],
    [['/'], 'The same'],
    [['?'], 'This help'],
    [['j'], 'Next row of a list'],
    [['k'], 'Row before'],
    [['Enter'], 'Open the row'],
    ...pages.map(({ key, label }): readonly [readonly string[], string] => [['g', key], label]),
  ]
  return (
    <Modal opened onClose={onClose} title="Keys">
      <dl className={styles['keys']}>
        {keys.map(([names, meaning]) => (
          <Fragment key={names.join(' ')}>
            <dt>
              {names.map((name) => (
                <Fragment key={name}>
                  <Kbd>{name}</Kbd>{' '}
                </Fragment>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
      <p className={styles['hint']}>
        Keys do nothing while you type. <PageLink to="/preferences">Preferences</PageLink> turn them off.
      </p>
    </Modal>
  )
}
