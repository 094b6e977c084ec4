import { pageMeta } from '../../../lib/page-meta.ts'
import { Features } from './features.tsx'
import { Hero } from './hero.tsx'
import { Integration } from './integration.tsx'
import { Methods } from './methods.tsx'

export const meta = pageMeta({
  title: 'Muripo · Seamless payment solutions for your business',
  description:
    'Accept payments internationally and instantly with a hassle-free gateway: mobile wallets and cards behind one simple integration.',
})

export default function Landing() {
  return (
    <>
      <Hero />
      <Methods />
      <Features />
      <Integration />
    </>
  )
}
