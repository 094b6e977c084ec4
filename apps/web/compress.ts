import { fileURLToPath } from 'node:url'
import { precompress } from './app/lib/precompress.ts'

await precompress(fileURLToPath(new URL('build/client', import.meta.url)))
