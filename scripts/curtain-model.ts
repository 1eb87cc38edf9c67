import { MobileNetV2MidModel } from 'nsfwjs/models/mobilenet_v2_mid'
import * as v from 'valibot'
import type { CurtainModelName } from '#protocol/call-counts.ts'
import { listOf, parse, recordOf } from '#protocol/parse.ts'
import type { CurtainModel, ModelStep, Weights } from '#workers/curtain/model-file.ts'

/**
 * Converts the model of nsfwjs, a graph of TensorFlow in base64, to the two files that the curtain worker loads: the
 * list of its layers, and the unchanged bytes of its weights.
 */

const NODES_MAX = 1_000

const weightSchema = v.object({
  name: v.string(),
  shape: listOf(v.number(), 4),
  quantization: v.object({ min: v.number(), scale: v.number(), dtype: v.literal('uint8') }),
})
const attributeSchema = v.object({
  s: v.optional(v.string()),
  list: v.optional(v.object({ s: v.optional(listOf(v.string(), 10)), i: v.optional(listOf(v.string(), 10)) })),
})
const nodeSchema = v.object({
  name: v.string(),
  op: v.string(),
  input: v.optional(listOf(v.string(), 10), []),
  attr: v.optional(recordOf(attributeSchema, 50), {}),
})
const graphSchema = v.object({
  modelTopology: v.object({ node: listOf(nodeSchema, NODES_MAX) }),
  weightsManifest: listOf(v.object({ weights: listOf(weightSchema, NODES_MAX) }), 10),
})
type Node = v.InferOutput<typeof nodeSchema>
type Graph = v.InferOutput<typeof graphSchema>

const plain = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString()

/** Returns the weights by name. Each value is one byte; the weights follow each other in the file. */
function weightsOf(graph: Graph): Map<string, Weights> {
  const found = new Map<string, Weights>()
  let offset = 0
  for (const { name, shape, quantization } of graph.weightsManifest.flatMap(({ weights }) => weights)) {
    found.set(name, { shape, offset, scale: quantization.scale, min: quantization.min })
    offset += shape.reduce((all, side) => all * side, 1)
  }
  return found
}

/** Operations that the worker computes itself, or that change nothing. */
const skipped = ['Placeholder', 'AvgPool', 'Squeeze', 'Softmax', 'Identity']

/** Throws for a graph that is no MobileNet: its layers follow one another, and sums may add the output of an earlier layer. */
function convert(graph: Graph, bytes: Uint8Array, name: string): CurtainModel {
  const weights = weightsOf(graph)
  const nodes = graph.modelTopology.node.filter(({ op }) => op !== 'Const')
  const model: Partial<CurtainModel> & { steps: ModelStep[] } = { name, steps: [] }
  const indexOf = new Map<string, number>()
  let factor = 1
  let last = ''

  function weightOf(node: Node, index: number): Weights {
    const found = weights.get(node.input[index] ?? '')
    if (!found) throw new Error(`${node.name} has no weights`)
    return found
  }

  function scalarOf(node: Node): number {
    const { offset, scale, min } = weights.get(node.input.find((input) => weights.has(input)) ?? '') ?? {}
    if (offset === undefined || scale === undefined || min === undefined) throw new Error(`${node.name} has no number`)
    return (bytes[offset] ?? 0) * scale + min
  }

  function convolutionOf(node: Node, kind: 'conv' | 'depthwise'): ModelStep {
    const ops = node.attr.fused_ops?.list?.s?.map(plain) ?? []
    const activation = ops[1] === undefined ? 'linear' : 'relu6'
    const [, stride, other] = node.attr.strides?.list?.i?.map(Number) ?? []
    const isKnown = ops[0] === 'BiasAdd' && (activation === 'linear' || ops[1] === 'Relu6')
    if (!isKnown || plain(node.attr.padding?.s) !== 'SAME' || stride === undefined || stride !== other)
      throw new Error(`${node.name} is another kind of convolution`)
    return { kind, filter: weightOf(node, 1), bias: weightOf(node, 2), stride, activation }
  }

  for (const node of nodes) {
    if (last !== '' && !node.input.includes(last)) throw new Error(`${node.name} does not follow ${last}`)
    last = node.name
    if (skipped.includes(node.op)) continue
    switch (node.op) {
      case 'Mul':
        factor = scalarOf(node)
        continue
      case 'Sub':
        // nsfwjs divides colours by 255 before it runs the model.
        model.input = { scale: factor / 255, min: -scalarOf(node) }
        continue
      case '_FusedMatMul':
        model.dense = { matrix: weightOf(node, 1), bias: weightOf(node, 2) }
        continue
      case '_FusedConv2D':
        model.steps.push(convolutionOf(node, 'conv'))
        break
      case 'FusedDepthwiseConv2dNative':
        model.steps.push(convolutionOf(node, 'depthwise'))
        break
      case 'AddV2': {
        const earlier = node.input.map((input) => indexOf.get(input) ?? Number.NaN)
        model.steps.push({ kind: 'add', step: Math.min(...earlier) })
        break
      }
      default:
        throw new Error(`${node.op} is no layer of a MobileNet`)
    }
    indexOf.set(node.name, model.steps.length - 1)
  }
  const { input, dense } = model
  if (!(input && dense)) throw new Error('The model has no beginning or no end')
  return { name, input, steps: model.steps, dense }
}

/** The metrics count a model whose name is not in the list as `other`. */
const NAME: CurtainModelName = 'mobilenet-v2-mid'

const shardSchema = v.object({ default: v.string() })

export async function readCurtainModel(): Promise<{ model: CurtainModel; weights: Uint8Array }> {
  const { modelJson, weightBundles } = MobileNetV2MidModel
  const shards = await Promise.all(weightBundles.map(async (load) => parse(shardSchema, await load()).default))
  const weights = Buffer.concat(shards.map((shard) => Buffer.from(shard, 'base64')))
  const { default: graph } = await modelJson()
  return { model: convert(parse(graphSchema, graph), weights, NAME), weights }
}
