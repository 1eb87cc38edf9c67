import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/about.ts'

export const texts: Translation<typeof english> = {
  'about.title': 'Quiénes somos',
  'about.lead': `${PRODUCT_NAME} reúne a dos desconocidos para conversar, cara a cara, mientras los dos lo pasen bien.`,
  'about.how': 'Cómo funciona',
  'about.how.sign-in':
    'Inicia sesión con {providers} y elige un apodo. Ningún otro usuario ve tu nombre ni tu correo electrónico.',
  'about.how.camera': 'Activa la cámara y el micrófono y pulsa Iniciar videochat.',
  'about.how.match': 'Te conectamos con alguien que también está esperando. Os veis, os oís y podéis escribiros.',
  'about.how.next':
    'Quedaos todo lo que os apetezca. Pulsa Siguiente para conocer a otra persona, o Salir para terminar.',
  'about.who': 'Para quién es',
  'about.who.text': `Solo para adultos. Debes tener ${MINIMUM_AGE} años o más para usar ${PRODUCT_NAME}, y cualquier cuenta que pertenezca a un menor se cierra para siempre.`,
  'about.meet': 'A quién conoces',
  'about.meet.shared':
    'Si dices qué idiomas hablas y qué te gusta, primero conoces a quienes comparten contigo un idioma y un interés, después un idioma, después a cualquiera. Nadie espera por ello, y nadie sabe lo que no compartís.',
  'about.meet.no-gender':
    'No puedes elegir el género de las personas que conoces. En un filtro así la gente miente, y fomenta el acoso.',
  'about.direct': 'De ti a la otra persona',
  'about.direct.text':
    'La imagen y el sonido viajan de una persona a la otra y no se graban. Los chats no se guardan nunca. Cuando dos redes no pueden comunicarse directamente, la señal cifrada pasa por un servidor de retransmisión, si lo hay, que no puede leerla.',
  'about.safe': 'Para que sea un buen lugar',
  'about.safe.rules':
    'Todo el mundo acepta las mismas normas de la comunidad. Se puede denunciar a cualquiera durante una llamada, y las denuncias tienen consecuencias: un aviso, una suspensión que se puede recurrir o un bloqueo permanente.',
  'about.safe.checks.on':
    'Un programa examina las imágenes de la cámara en el panel en busca de contenido que incumpla las normas.',
  'about.safe.checks.off': 'Ahora mismo ningún programa examina lo que muestran las imágenes de la cámara.',
  'about.safe.checks.unknown':
    'Que además un programa examine las imágenes de la cámara depende de cómo esté configurado el servicio.',
  'about.safe.curtain.on':
    'En una llamada tu propio dispositivo mira las imágenes, si puede, y oculta lo que pueda ser un desnudo.',
  'about.safe.curtain.off': 'En una llamada ningún programa mira las imágenes.',
  'about.safe.curtain.unknown':
    'Puede que tu propio dispositivo mire las imágenes de una llamada y oculte lo que pueda ser un desnudo.',
  'about.safe.more':
    'Las normas están en nuestros <terms>términos y condiciones</terms>. Lo que sabemos de ti, y durante cuánto tiempo, está en nuestro <privacy>aviso de privacidad</privacy>.',
  'about.contact': 'Habla con nosotros',
  'about.contact.text': 'Las preguntas, ideas y quejas llegan a personas de verdad en <contact/>.',
}
