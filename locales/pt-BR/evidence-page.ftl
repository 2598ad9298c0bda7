# A página de um item de evidência.
evidence-reading = O arquivo está sendo lido. Esta página mostra os números assim que existirem.
evidence-refused = Não foi possível ler.
evidence-file = Arquivo { $number }
evidence-sha = calculado ao receber
evidence-window = Janela alegada
evidence-window-claim = como consta no arquivo
evidence-window-stated = da janela informada para a execução
evidence-window-length = { $length }, horário desconhecido
evidence-window-none = o arquivo não informa
evidence-read-by = Lido por
evidence-added = Anexado por
evidence-download = Baixar o arquivo { $number }
evidence-json = Leitura em JSON
evidence-acts = Retirar, pôr de lado, ler de novo
evidence-figures = Figuras
evidence-signals = Sinais
evidence-signals-of = Sinais lidos de { $item }
evidence-signal-count = { $count ->
    [one] 1 sinal
   *[other] { $count } sinais
}
evidence-made-from = Para quê, e com que exatidão
evidence-checks = Conferências
evidence-no-checks = Nada foi conferido ainda.
evidence-notes = Notas do leitor
evidence-no-notes = O leitor não anotou nada.
evidence-uses = Usado por
evidence-cage = Como foi lido
evidence-cage-none = Nada foi lido deste item ainda.
evidence-cage-words = O leitor é um processo à parte e trata o arquivo como hostil:
evidence-environment = Ambiente, como consta nos arquivos
evidence-environment-none = Os arquivos nada dizem sobre onde foram tomados.
cage-limits = Memória, tempo de processador e arquivos abertos foram limitados
cage-landlock = Nenhum outro arquivo podia ser aberto
cage-user = Rodou sem privilégios
cage-seccomp = Chamadas de sistema foram filtradas: sem rede, sem outro programa
cage-missing = Não esteve em vigor: { $measure }
evidence-withdraw-reason = Retirar, porque
evidence-withdraw-save = Retirar
evidence-withdraw-hint = Continua visível e não conta mais. O que se apoia nele deixa de se sustentar.
evidence-aside-reason = Pôr de lado, porque
evidence-aside-save = Pôr de lado
evidence-aside-hint = Para revisores: não mostra o que alega.
evidence-reread-save = Ler de novo
evidence-reread-hint = Um leitor mais novo pode ler mais. A leitura anterior é mantida.
evidence-signals-by = Sinais por { $label }
