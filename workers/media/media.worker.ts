import { withFaults } from '../faults.ts'
import { serve } from '../rpc.ts'
import { createMediaWorker } from './create-media-worker.ts'

serve(withFaults(createMediaWorker()))
