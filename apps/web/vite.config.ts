import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { highlight } from './highlight.ts'

export default defineConfig({
  plugins: [highlight(), reactRouter()],
  build: {
    // The policy that the server sends allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  // Mantine is hundreds of small modules: bundled they load in milliseconds when the server starts.
  ssr: { noExternal: [/^@mantine\//, /^@tabler\//] },
})
