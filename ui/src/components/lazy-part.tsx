import { Alert, Button, Text } from '@mantine/core'
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { useConnection } from '../client/connection.ts'
import { checkVersion } from '../client/version.ts'

interface LazyPartOptions<Props> {
  /** Shown while the part is loaded. */
  readonly waiting: ReactNode
  /** Draws the notice that the part cannot be had where the part would stand, such as in a dialog. */
  readonly frame?: (notice: ReactNode, props: Props) => ReactNode
}

/** The code of a part could not be had. */
class MissingPart extends Error {
  override readonly name = 'MissingPart'
}

/**
 * A part of a page that is loaded when it is first shown. After an upgrade the control plane has it no more: the part says
 * so in its own place, and the rest of the page, with all that was typed there, stays.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting, frame }: LazyPartOptions<Props>,
): (props: Props) => ReactNode {
  const Loaded = lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      await checkVersion()
      throw new MissingPart('The part could not be loaded.', { cause: error })
    }
  })
  return function LazyPart(props) {
    const notice = <PartNotice />
    return (
      <PartBoundary instead={frame ? frame(notice, props) : notice}>
        <Suspense fallback={waiting}>{createElement<Props>(Loaded, props)}</Suspense>
      </PartBoundary>
    )
  }
}

interface PartBoundaryProps {
  readonly instead: ReactNode
  readonly children: ReactNode
}

class PartBoundary extends Component<PartBoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // A fault of the part itself is a fault of its page.
    if (!((error as unknown) instanceof MissingPart)) throw error
    return this.props.instead
  }
}

function PartNotice(): ReactNode {
  const { isOutdated } = useConnection()
  return (
    <Alert color="caution" variant="light" role="alert">
      <Text>
        {isOutdated
          ? 'This part cannot be shown: a newer version of this page is served since you opened it.'
          : 'This part could not be loaded.'}{' '}
        Save first what you typed elsewhere on the page.
      </Text>
      <Button variant="default" mt="xs" onClick={() => location.reload()}>
        Load the page again
      </Button>
    </Alert>
  )
}
