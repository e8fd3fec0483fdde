import './theme/page.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadAhead } from './routes.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// Dialogs lock the scroll by a style of their own.
setNonce(nonce)

loadAhead()
const place = document.querySelector('#page')
if (place) createRoot(place).render(<App nonce={nonce} />)
