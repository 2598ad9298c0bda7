# A moldura de todas as páginas e as palavras usadas em todo lugar.
product-name = Evidência de desempenho
product-lede = Qual camada limita as tarefas aceitas, o que prova isso e o que pode ir para produção.
skip-to-content = Ir para o conteúdo

nav-main = Principal
nav-you = Você
nav-waiting = À sua espera
nav-cases = Casos
nav-contracts = Contratos
nav-decisions = Decisões
nav-audit = Auditoria
nav-people = Pessoas
nav-new-case = Novo caso
nav-help = Ajuda
nav-sign-out = Sair
nav-search-label = Buscar casos, evidências, pessoas
nav-search-hint = Busque, ou digite um id como EV-31

foot-utc = Horários em UTC
foot-made = Página feita em { $at }, em { $ms } ms

form-faults = { $count ->
    [one] Um ponto a corrigir:
   *[other] { $count } pontos a corrigir:
}

role-viewer = leitor
role-responder = socorrista
role-reviewer = revisor
role-manager = gestor
role-auditor = auditor
role-admin = administrador
role-viewer-may = lê os casos e o que faz parte deles
role-responder-may = abre casos, anexa evidências, registra condições, prepara e conduz mudanças
role-reviewer-may = aprova, pede ajustes, rejeita, aceita; nunca o próprio trabalho
role-manager-may = lê tudo, repassa casos, encerra e reabre
role-auditor-may = lê tudo e o registro de auditoria inteiro; não escreve nada
role-admin-may = pessoas e papéis; não atua em casos

month-1 = jan.
month-2 = fev.
month-3 = mar.
month-4 = abr.
month-5 = maio
month-6 = jun.
month-7 = jul.
month-8 = ago.
month-9 = set.
month-10 = out.
month-11 = nov.
month-12 = dez.
ago = há { $age }
ago-now = agora mesmo
