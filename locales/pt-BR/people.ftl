# Entrada, contas, pessoas, perfil.
password = Senha
password-hint = Pelo menos 10 caracteres; algumas palavras em sequência funcionam bem. Pode colar.
password-short = A senha precisa de pelo menos { $least } caracteres.
password-long = Esta senha é longa demais para ser guardada.
password-is-login = A senha não pode ser o login.
password-common = Esta senha está em toda lista de palpites. Escolha outra.
password-wrong = Esta não é a sua senha.

person-name = Nome
person-name-fault = Escreva um nome de 1 a 120 caracteres.
person-login = Login
person-login-hint = O que você digita para entrar, como seu e-mail de trabalho. Maiúsculas não fazem diferença.
person-login-fault = Escreva um login de 2 a 120 caracteres, sem espaços.
person-login-taken = Alguém já usa este login.
person-roles-fault = Escolha pelo menos um papel.

signin-title = Entrar
signin-do = Entrar
signin-wrong = O login ou a senha não confere, ou a conta não está ativa.
signin-wait = Tentativas demais. Tente de novo em { $seconds } s.
signin-expired = Sua sessão terminou
signin-expired-at = em { $at } UTC, por muito tempo sem uso ou por chegar ao fim. Entre para continuar de onde parou.
signin-help = Esqueceu a senha ou ainda não tem conta? Um administrador deste serviço pode convidar você.
signin-link-title = Boas-vindas, { $name }
signin-link-lede = Este link permite entrar uma única vez, neste navegador.
signin-link-do = Entrar como { $name }

reauth-title = É você mesmo?
reauth-lede = O que você vai fazer tem peso; por isso a senha é pedida de novo. Depois você volta para onde estava.
reauth-password = Senha de { $login }
reauth-do = Continuar
reauth-help = Não tem senha porque entrou por um link? Saia e use um novo link.

setup-title = O primeiro administrador
setup-lede = Ninguém tem conta ainda. Crie a primeira com o código que o serviço mostrou ao iniciar.
setup-code = Código de uso único
setup-code-hint = Quatro grupos de quatro, mostrados pelo pel serve. Vale por 24 horas.
setup-code-fault = O código não é este, ou tem mais de 24 horas. Ao reiniciar, o serviço mostra um novo.
setup-roles = Você será administrador. Administradores não atuam em casos; quais outros papéis você tem?
setup-do = Criar a conta

invitation-title = Você recebeu um convite
invitation-by = { $name } convidou você para o Evidência de desempenho.
invitation-roles = Seus papéis: { $roles }.
invitation-until = Vale até
invitation-do = Criar minha conta

people-title = Pessoas
people-lede = { $count ->
    [one] Uma pessoa pode entrar.
   *[other] { $count } pessoas podem entrar.
}
people-no-role = nenhum papel
people-deactivated = desativada
people-seen = Última atividade:
people-never-seen = Nunca entrou
people-change = Alterar
people-roles-of = Papéis de { $name }
people-save-roles = Salvar papéis
people-deactivate = Desativar
people-deactivate-me = Desativar minha conta
people-deactivate-hint = Encerra todas as sessões na hora. O que a pessoa fez permanece, com o nome dela.
people-reactivate = Reativar

invite-title = Convidar alguém
invite-lede = Você recebe um link que funciona uma vez, por sete dias. Entregue-o você mesmo.
invite-roles = Papéis
invite-do = Criar o link
invite-link = Link do convite
invite-made = Convite para { $name }.
invite-made-once = Este link só aparece agora; copie-o.
invitations-title = Convites em aberto
invitations-by = por { $name }
invitations-revoke = Cancelar

me-title = Seu perfil
me-profile = Perfil
me-lang = Idioma
me-lang-browser = O que o navegador pedir
me-theme = Tema
me-theme-system = O do sistema
me-save = Salvar
me-password = Senha
me-password-current = Senha atual
me-password-new = Nova senha
me-password-ends = Suas outras sessões são encerradas.
me-password-do = Trocar a senha
me-sessions = Onde você está conectado
theme-light = Claro
theme-dark = Escuro
session-device = Navegador
session-device-unknown = desconhecido
session-network = Rede
session-began = Desde
session-seen = Último uso
session-end = Encerrar
session-this = esta sessão
network-loopback = esta máquina
network-private = privada
network-public = pública
done-profile = Salvo.
done-password = A senha foi trocada. Suas outras sessões foram encerradas.
done-session = A sessão foi encerrada.
