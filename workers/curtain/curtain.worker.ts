import { serve } from '../rpc.ts'
import { createCurtainWorker } from './create-curtain-worker.ts'

serve(createCurtainWorker())
