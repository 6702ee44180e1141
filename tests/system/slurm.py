# SPDX-License-Identifier: Apache-2.0
"""A cluster of Slurm on this machine: the real slurmctld, and a real slurmd for each node. A node has a host name and a process
namespace of its own, so that it can be killed with all that runs on it, as when a machine loses power."""

import os
import shutil
import signal
import socket
import subprocess

from fpgauge_system import IN_VAIN_S, wait_until

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol")
NAMESPACE = ("unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")
# A node that says nothing for SlurmdTimeout is down, and what ran there is queued again. Nobody but us talks to these daemons, so
# messages carry no proof of who sent them.
CONFIGURATION = """\
ClusterName=fpgauge
SlurmctldHost=controller(127.0.0.1)
SlurmctldPort={controller_port}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SlurmdTimeout=6
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def why_no_slurm():
    """None, or why there can be no cluster here."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return f"no {missing[0]} here (packages slurmctld, slurmd, slurm-client)"
    done = subprocess.run([*NAMESPACE, "true"], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"no host of its own for a node here: {done.stderr.strip()}"


def free_ports(count):
    """Ports that nobody listens at."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Cluster:
    def __init__(self, folder, nodes):
        self.folder = folder
        self.names = [f"node{number}" for number in range(1, nodes + 1)]
        self.hosts = {}  # name: the process that is its machine
        self.environment = {**os.environ, "SLURM_CONF": os.path.join(folder, "slurm.conf")}
        controller_port, *ports = free_ports(nodes + 1)
        lines = [f"NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN"
                 for name, port in zip(self.names, ports)]
        os.mkdir(os.path.join(folder, "state"))
        with open(self.environment["SLURM_CONF"], "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=folder, controller_port=controller_port, nodes="\n".join(lines)))

    def __enter__(self):
        try:
            self.boot("controller", "slurmctld")
            for name in self.names:
                self.boot(name, "slurmd")
            wait_until(lambda: self.says("sinfo", "--noheader", "--format=%D", "--states=idle").strip() == str(len(self.names)),
                       f"all nodes are idle; see {self.folder}/*.log", self.hosts["controller"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in list(self.hosts):
            self.kill(name)

    def boot(self, name, daemon):
        with open(os.path.join(self.folder, f"{name}.out"), "w", encoding="utf-8") as out:
            self.hosts[name] = subprocess.Popen([*NAMESPACE, "sh", "-c", f"hostname {name} && exec {daemon} -D"], env=self.environment,
                                                stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def alive(self):
        """Nodes that were not killed."""
        return [name for name in self.names if name in self.hosts]

    def kill(self, name):
        """The machine loses power."""
        host = self.hosts.pop(name)
        host.send_signal(signal.SIGKILL)  # and with it, by --kill-child, the first process there, and so all others
        host.wait(IN_VAIN_S)

    def says(self, *command):
        """What a command of Slurm prints; "" where it fails, as before the controller listens."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=IN_VAIN_S, check=False).stdout

    def tasks_on(self, name):
        """Numbers of the tasks of array jobs that run on a node."""
        return [int(task) for task in self.says("squeue", "--noheader", f"--nodelist={name}", "--states=running", "--format=%K").split()]

    def bury(self, name, task):
        """What the controller does by itself in half a minute: a dead node is down, and its task is queued again. And the task may begin
        at once, not after two minutes."""
        self.says("scontrol", "update", f"nodename={name}", "state=down", "reason=killed")
        wait_until(lambda: not self.tasks_on(name), f"no task is on {name}")
        for job in self.says("squeue", "--noheader", "--states=pending", "--array", "--format=%i").split():
            if job.endswith(f"_{task}"):
                self.says("scontrol", "update", f"jobid={job}", "starttime=now")
