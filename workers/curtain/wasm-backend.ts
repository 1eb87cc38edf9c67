// Registers the backend without its 140 kernels.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm/dist/base'
import { addConfig } from '@tensorflow/tfjs-backend-wasm/dist/kernels/Add'
import { fusedConv2DConfig } from '@tensorflow/tfjs-backend-wasm/dist/kernels/FusedConv2D'
import { fusedDepthwiseConv2DConfig } from '@tensorflow/tfjs-backend-wasm/dist/kernels/FusedDepthwiseConv2D'
import { enableProdMode, env, registerKernel, setBackend } from '@tensorflow/tfjs-core'

/** Starts the WebAssembly code, on this thread alone, with the kernels of a MobileNet. Rejects if the browser refuses it. */
export async function startWasmBackend(code: ArrayBuffer): Promise<void> {
  enableProdMode()
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  for (const kernel of [addConfig, fusedConv2DConfig, fusedDepthwiseConv2DConfig]) registerKernel(kernel)
  const address = URL.createObjectURL(new Blob([code], { type: 'application/wasm' }))
  try {
    setWasmPaths({
      'tfjs-backend-wasm.wasm': address,
      'tfjs-backend-wasm-simd.wasm': address,
      'tfjs-backend-wasm-threaded-simd.wasm': address,
    })
    if (!(await setBackend('wasm'))) throw new Error('The WASM backend does not start')
  } finally {
    URL.revokeObjectURL(address)
  }
}
