import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { highlight } from './highlight.ts'

/**
 * What every public page needs, in few files: each file costs a request, and its headers weigh more than a small module. By name,
 * because a file also takes in what its modules import.
 */
const groups = [
  { name: 'react', test: /\/node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
  {
    name: 'site',
    test: /\/app\/(lib\/(paths|page-meta|log|http|timing|context|dom-hooks|use-copy)|session\/[a-z-]+|api\/errors|components\/(logo|notice-page)|shell\/(public-header|sign-out|floats)|features\/site\/(action-link|call-to-action|page-hero|footer|reveal|code\/[a-z-]+))\.(module\.css|tsx?)$/,
    priority: 1,
  },
  { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2 },
]

export default defineConfig({
  plugins: [highlight(), reactRouter()],
  build: {
    // The policy that the server sends allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Mantine is hundreds of small modules: bundled they load in milliseconds when the server starts.
  ssr: { noExternal: [/^@mantine\//, /^@tabler\//] },
})
